// Translations of the words in plots and tables of the library.
// A `{}` matches a name or a number. What is not listed stays English.
import { formats, language } from "./languages";

const ORDER = ["de", "fr", "es", "zh"];

type Row = [english: string, de: string, fr: string, es: string, zh: string];

const METHODS: Row[] = [
  ["paired DeLong", "DeLong gepaart", "DeLong apparié", "DeLong pareado", "配对 DeLong"],
  ["unpaired DeLong", "DeLong ungepaart", "DeLong non apparié", "DeLong no pareado", "非配对 DeLong"],
  ["t distribution", "t-Verteilung", "loi t", "distribución t", "t 分布"],
  ["Wilson (effective n)", "Wilson mit wirksamer Größe", "Wilson à taille effective", "Wilson con tamaño efectivo", "有效样本量 Wilson"],
  ["paired Wilson (effective n)", "Wilson mit wirksamer Größe gepaart", "Wilson à taille effective apparié", "Wilson con tamaño efectivo pareado", "配对有效样本量 Wilson"],
  ["cluster-robust Wilson (effective n)", "Wilson mit wirksamer Größe für Gruppen", "Wilson à taille effective pour grappes", "Wilson con tamaño efectivo para grupos", "群组有效样本量 Wilson"],
  ["paired cluster-robust DeLong", "DeLong gepaart für Gruppen", "DeLong apparié pour grappes", "DeLong pareado para grupos", "配对群组 DeLong"],
  ["Hotelling's F", "Hotellings F", "F de Hotelling", "F de Hotelling", "Hotelling F"],
  ["sign-flip test", "Vorzeichenwechseltest", "test par inversion de signe", "prueba de cambio de signo", "符号翻转检验"],
  ["sign-flip test, {} random flips", "Vorzeichenwechseltest, {} zufällige Wechsel", "test par inversion de signe, {} tirages", "prueba de cambio de signo, {} sorteos", "符号翻转检验，{} 次随机翻转"],
  ["exact", "exakt", "exact", "exacta", "精确"],
  ["t corrected for skewness (Hall 1992)", "t, um die Schiefe berichtigt (Hall 1992)", "t corrigé de l’asymétrie (Hall 1992)", "t corregida por la asimetría (Hall 1992)", "按偏度校正的 t（Hall 1992）"],
  ["Obuchowski-Rockette", "Obuchowski-Rockette", "Obuchowski-Rockette", "Obuchowski-Rockette", "Obuchowski-Rockette"],
  ["Obuchowski-Rockette with {} covariances", "Obuchowski-Rockette mit Kovarianzen nach {}", "Obuchowski-Rockette avec covariances {}", "Obuchowski-Rockette con covarianzas {}", "Obuchowski-Rockette（{} 协方差）"],
  ["U-statistics", "U-Statistiken", "U-statistiques", "estadísticos U", "U 统计量"],
  ["random readers and cases", "Leser und Fälle zufällig", "lecteurs et cas aléatoires", "lectores y casos aleatorios", "阅片者与病例随机"],
  ["fixed readers", "Leser fest", "lecteurs fixes", "lectores fijos", "阅片者固定"],
  ["random readers", "Leser zufällig", "lecteurs aléatoires", "lectores aleatorios", "阅片者随机"],
  ["random cases", "Fälle zufällig", "cas aléatoires", "casos aleatorios", "病例随机"],
  ["fixed cases", "Fälle fest", "cas fixes", "casos fijos", "病例固定"],
  ["for independent errors", "für unabhängige Fehler", "erreurs indépendantes", "para errores independientes", "误差独立"],
];

const TERMS: Row[] = [
  ...METHODS,
  ["False positives per case", "Falsch-Positive je Fall", "Faux positifs par cas", "Falsos positivos por caso", "每例假阳性数"],
  ["Lesion sensitivity", "Läsionssensitivität", "Sensibilité par lésion", "Sensibilidad por lesión", "病灶敏感度"],
  ["mean of {} readers, {} ({} to {})", "Mittel von {} Lesern, {} ({} bis {})", "moyenne de {} lecteurs, {} ({} à {})", "media de {} lectores, {} ({} a {})", "{} 名阅片者的平均，{}（{} 至 {}）"],
  ["mean of {} readers", "Mittel von {} Lesern", "moyenne de {} lecteurs", "media de {} lectores", "{} 名阅片者的平均"],
  ["Thick: vertical average of the readers.", "Dick: senkrechtes Mittel der Leser.", "Épais : moyenne verticale des lecteurs.", "Grueso: media vertical de los lectores.", "粗线：阅片者的纵向平均。"],
  ["Mean: {}. Readers: normal, cases alone.", "Mittel: {}. Leser: Normalverteilung, nur Fälle.", "Moyenne : {}. Lecteurs : loi normale, cas seuls.", "Media: {}. Lectores: normal, solo casos.", "平均：{}。阅片者：正态，仅病例。"],
  ["mean ({})", "Mittel ({})", "moyenne ({})", "media ({})", "平均（{}）"],
  ["margin {}", "Grenze {}", "marge {}", "margen {}", "界值 {}"],
  ["readers", "Leser", "lecteurs", "lectores", "阅片者"],
  ["reader", "Leser", "lecteur", "lector", "阅片者"],
  ["modality", "Modalität", "modalité", "modalidad", "模态"],
  ["n pos", "Positive", "positifs", "positivos", "阳性数"],
  ["n neg", "Negative", "négatifs", "negativos", "阴性数"],
  ["estimate", "Schätzwert", "estimation", "estimación", "估计值"],
  ["standard error", "Standardfehler", "erreur type", "error estándar", "标准误"],
  ["difference", "Differenz", "différence", "diferencia", "差值"],
  ["p value", "p-Wert", "valeur p", "valor p", "p 值"],
  ["component", "Komponente", "composante", "componente", "分量"],
  ["value", "Wert", "valeur", "valor", "值"],
  ["False positive rate", "Falsch-positiv-Rate", "Taux de faux positifs", "Tasa de falsos positivos", "假阳性率"],
  ["True positive rate", "Richtig-positiv-Rate", "Taux de vrais positifs", "Tasa de verdaderos positivos", "真阳性率"],
  ["Recall", "Trefferquote", "Rappel", "Exhaustividad", "召回率"],
  ["Precision", "Präzision", "Précision", "Precisión", "精确率"],
  ["chance (prevalence {})", "Zufall (Prävalenz {})", "hasard (prévalence {})", "azar (prevalencia {})", "随机（患病率 {}）"],
  ["Drawn in steps: the area below the line is the average precision.", "In Stufen gezeichnet: Die Fläche unter der Linie ist die mittlere Präzision.", "Tracé en marches : l’aire sous la ligne est la précision moyenne.", "Trazado en escalones: el área bajo la línea es la precisión media.", "按阶梯绘制：线下面积即平均精确率。"],
  ["Time t", "Zeit t", "Temps t", "Tiempo t", "时间 t"],
  ["AUC by time t", "AUC bis zur Zeit t", "AUC au temps t", "AUC hasta el tiempo t", "截至时间 t 的 AUC"],
  ["Area: simultaneous {} band; gray lines: pointwise {} limits.", "Fläche: simultanes {}-Band; graue Linien: punktweise {}-Grenzen.", "Aire : bande simultanée à {} ; lignes grises : limites à {} point par point.", "Área: banda simultánea del {}; líneas grises: límites puntuales del {}.", "阴影：同时 {} 带；灰线：逐点 {} 界限。"],
  ["Pointwise {} limits.", "Punktweise {}-Grenzen.", "Limites à {} point par point.", "Límites puntuales del {}.", "逐点 {} 界限。"],
  ["Predicted risk by t = {}", "Vorhergesagtes Risiko bis t = {}", "Risque prédit à t = {}", "Riesgo predicho hasta t = {}", "截至 t = {} 的预测风险"],
  ["Incidence by t = {}", "Inzidenz bis t = {}", "Incidence à t = {}", "Incidencia hasta t = {}", "截至 t = {} 的发生率"],
  ["{} groups of about equal size; observed: Aalen-Johansen, {} limits.", "{} etwa gleich große Gruppen; beobachtet: Aalen-Johansen, {}-Grenzen.", "{} groupes de taille à peu près égale ; observé : Aalen-Johansen, limites à {}.", "{} grupos de tamaño parecido; observado: Aalen-Johansen, límites del {}.", "{} 个大小相近的组；观察值：Aalen-Johansen，{} 界限。"],
  ["ideal", "ideal", "idéal", "ideal", "理想"],
  ["{}, O/E {}, slope {}", "{}, B/E {}, Steigung {}", "{}, O/A {}, pente {}", "{}, O/E {}, pendiente {}", "{}，O/E {}，斜率 {}"],
  ["Concordance (Uno)", "Konkordanz (Uno)", "Concordance (Uno)", "Concordancia (Uno)", "一致性（Uno）"],
  ["time", "Zeit", "temps", "tiempo", "时间"],
  ["cases", "Fälle", "cas", "casos", "病例"],
  ["at risk", "unter Risiko", "à risque", "en riesgo", "风险集人数"],
  ["censored", "zensiert", "censurés", "censurados", "删失"],
  ["incidence", "Inzidenz", "incidence", "incidencia", "发生率"],
  ["survival", "Überleben", "survie", "supervivencia", "生存率"],
  ["followed", "nachbeobachtet", "suivis", "seguidos", "未删失比例"],
  ["t = {}; TP, FP, FN, TN per {}", "t = {}; RP, FP, FN, RN je {}", "t = {} ; VP, FP, FN, VN pour {}", "t = {}; VP, FP, FN, VN por {}", "t = {}；每 {} 例的 TP、FP、FN、TN"],
  ["Diagonals are tied scores; a tied pair counts one half.", "Diagonalen sind gleiche Scores; ein gleiches Paar zählt halb.", "Les diagonales sont des scores ex æquo ; une paire ex æquo compte pour moitié.", "Las diagonales son puntuaciones empatadas; un par empatado cuenta la mitad.", "对角线为并列得分；并列的一对计一半。"],
  ["Difference in {} by time t", "Differenz von {} bis zur Zeit t", "Différence de {} au temps t", "Diferencia de {} hasta el tiempo t", "截至时间 t 的 {} 之差"],
  ["Limits: {} {}.", "Grenzen: {} {}.", "Limites : {} {}.", "Límites: {} {}.", "界限：{} {}。"],
  ["{}, AUC {} by t = {}", "{}, AUC {} bis t = {}", "{}, AUC {} à t = {}", "{}, AUC {} hasta t = {}", "{}，AUC {}（截至 t = {}）"],
  ["{} − {}, t = {}", "{} − {}, t = {}", "{} − {}, t = {}", "{} − {}, t = {}", "{} − {}，t = {}"],
  ["Net benefit", "Nettonutzen", "Bénéfice net", "Beneficio neto", "净获益"],
  ["Threshold probability", "Schwellenwahrscheinlichkeit", "Probabilité seuil", "Probabilidad umbral", "阈值概率"],
  ["Predicted probability", "Vorhergesagte Wahrscheinlichkeit", "Probabilité prédite", "Probabilidad predicha", "预测概率"],
  ["Observed proportion", "Beobachteter Anteil", "Part observée", "Proporción observada", "观察比例"],
  ["treat all", "alle behandeln", "traiter tous", "tratar a todos", "全部治疗"],
  ["treat none", "keinen behandeln", "ne traiter personne", "no tratar a nadie", "全不治疗"],
  ["Gray: histogram of the predictions.", "Grau: Histogramm der Vorhersagen.", "Gris : histogramme des prédictions.", "Gris: histograma de las predicciones.", "灰色：预测值的分布。"],
  ["Expected cost {} per case; proportions of the true class.", "Erwartete Kosten {} je Fall; Anteile der wahren Klasse.", "Coût espéré {} par cas ; parts de la vraie classe.", "Coste esperado {} por caso; partes de la clase verdadera.", "每例期望成本 {}；占真实类别的比例。"],
  ["True class", "Wahre Klasse", "Vraie classe", "Clase verdadera", "真实类别"],
  ["{}, slope {}, Brier {}", "{}, Steigung {}, Brier {}", "{}, pente {}, Brier {}", "{}, pendiente {}, Brier {}", "{}，斜率 {}，Brier {}"],
  ["{} bins of about equal size, pointwise {} limits.", "{} etwa gleich große Gruppen, punktweise {}-Grenzen.", "{} groupes de taille à peu près égale, limites à {} point par point.", "{} grupos de tamaño parecido, límites puntuales del {}.", "{} 个大小相近的组，逐点 {} 界限。"],
  ["Rise: proportion of the sum of Θ", "Anstieg: Anteil an der Summe von Θ", "Montée : part de la somme des Θ", "Subida: parte de la suma de Θ", "上升：Θ 之和的占比"],
  ["Run: proportion of the sum of 1 − Θ", "Lauf: Anteil an der Summe von 1 − Θ", "Avance : part de la somme des 1 − Θ", "Avance: parte de la suma de 1 − Θ", "前进：1 − Θ 之和的占比"],
  ["Each score moves the smooth curve by its size.", "Jeder Score bewegt die geglättete Kurve um seine Größe.", "Chaque score déplace la courbe lissée de sa valeur.", "Cada puntuación mueve la curva suavizada según su tamaño.", "每个得分按其大小推动平滑曲线。"],
  ["Midpoint of {}: {}.", "Mittelpunkt von {}: {}.", "Point milieu de {} : {}.", "Punto medio de {}: {}.", "{} 的中点：{}。"],
  ["In color: thresholds where Tango's {} interval of (FN − FP)/n contains 0.", "Farbig: Schwellen, an denen Tangos {}-Intervall von (FN − FP)/n die 0 enthält.", "En couleur : seuils où l’intervalle de Tango à {} de (FN − FP)/n contient 0.", "En color: umbrales donde el intervalo de Tango del {} de (FN − FP)/n contiene 0.", "彩色：(FN − FP)/n 的 Tango {} 区间包含 0 的阈值。"],
  ["Difference in {}", "Differenz von {}", "Différence de {}", "Diferencia de {}", "{} 之差"],
  ["{} v {}", "{} gegen {}", "{} contre {}", "{} frente a {}", "{} 对 {}"],
  ["{}, AUC {} ({} CI {} to {})", "{}, AUC {} ({}-KI {} bis {})", "{}, AUC {} (IC à {} : {} à {})", "{}, AUC {} (IC del {}: {} a {})", "{}，AUC {}（{} CI {} 至 {}）"],
  ["{} ({} to {})", "{} ({} bis {})", "{} ({} à {})", "{} ({} a {})", "{}（{} 至 {}）"],
  ["{} CI at each time", "{}-KI je Zeitpunkt", "IC à {} à chaque instant", "IC del {} en cada tiempo", "各时间点的 {} CI"],
  ["no shift", "unverschoben", "sans décalage", "sin desplazamiento", "未平移"],
  ["{} CI", "{}-KI", "IC à {}", "IC del {}", "{} CI"],
  ["{} pointwise band", "punktweises {}-Band", "bande point par point à {}", "banda puntual del {}", "{} 逐点带"],
  ["{} joint-regions band", "{}-Band gemeinsamer Bereiche", "bande de régions conjointes à {}", "banda de regiones conjuntas del {}", "{} 联合区域带"],
  ["{} band", "{}-Band", "bande à {}", "banda del {}", "{} 带"],
  ["{} ({} CI)", "{} ({}-KI)", "{} (IC à {})", "{} (IC del {})", "{}（{} CI）"],
  ["{} CI by {}. Dashed: chance.", "{}-KI nach {}. Gestrichelt: Zufall.", "IC à {} selon {}. Tirets : hasard.", "IC del {} según {}. Discontinua: azar.", "{} CI：{}。虚线：随机。"],
  ["Interval: {}. Dashed: {}, by chance.", "Intervall: {}. Gestrichelt: {}, durch Zufall.", "Intervalle : {}. Tirets : {}, par hasard.", "Intervalo: {}. Discontinua: {}, por azar.", "区间：{}。虚线：{}，随机水平。"],
  ["Interval: {}.", "Intervall: {}.", "Intervalle : {}.", "Intervalo: {}.", "区间：{}。"],
  ["Each class against the rest.", "Jede Klasse gegen die übrigen.", "Chaque classe contre les autres.", "Cada clase frente al resto.", "每一类对其余各类。"],
  ["Correct rate, class {}", "Anteil richtig erkannter {}", "Part de {} bien classée", "Proporción acertada de {}", "{} 判对的比例"],
  ["Largest correct rate, class {}", "Größter Anteil richtig erkannter {}", "Plus grande part de {} bien classée", "Mayor proporción acertada de {}", "{} 判对的最大比例"],
  ["class {}: any rate", "Klasse {}: beliebiger Anteil", "classe {} : tout taux", "clase {}: cualquier tasa", "类别 {}：任意比率"],
  ["class {}: ≥ {} correct", "Klasse {}: ≥ {} richtig", "classe {} : ≥ {} justes", "clase {}: ≥ {} correctos", "类别 {}：≥ {} 正确"],
  ["Volume under the surface {}; chance {}.", "Volumen unter der Fläche {}; Zufall {}.", "Volume sous la surface {} ; hasard {}.", "Volumen bajo la superficie {}; azar {}.", "曲面下体积 {}；随机 {}。"],
  ["Dashed: chance at any rate of class {}.", "Gestrichelt: Zufall bei beliebigem Anteil der Klasse {}.", "Tirets : hasard à tout taux de la classe {}.", "Discontinua: azar con cualquier tasa de la clase {}.", "虚线：类别 {} 任意比率下的随机水平。"],
  ["Predicted class", "Vorhergesagte Klasse", "Classe prédite", "Clase predicha", "预测类别"],
  ["true {}", "wahr {}", "vrai {}", "verdadero {}", "真实 {}"],
  ["Expected cost {} per case.", "Erwartete Kosten {} je Fall.", "Coût espéré {} par cas.", "Coste esperado {} por caso.", "每例期望成本 {}。"],
  ["Proportion within tolerance", "Anteil der Fälle innerhalb der Toleranz", "Part des cas dans la tolérance", "Parte de los casos dentro de la tolerancia", "容差内病例的比例"],
  ["Tolerance (absolute error)", "Toleranz (absoluter Fehler)", "Tolérance (erreur absolue)", "Tolerancia (error absoluto)", "容差（绝对误差）"],
  ["{} DKW band for the whole curve, for independent errors.", "{}-DKW-Band der ganzen Kurve, für unabhängige Fehler.", "Bande DKW à {} de la courbe entière, erreurs indépendantes.", "Banda DKW del {} de toda la curva, para errores independientes.", "整条曲线的 {} DKW 带，误差独立。"],
  ["Total overestimation", "Summe der Überschätzungen", "Surestimation totale", "Sobrestimación total", "高估总和"],
  ["Total underestimation", "Summe der Unterschätzungen", "Sous-estimation totale", "Subestimación total", "低估总和"],
  ["Error variance of {}: {}.", "Fehlervarianz von {}: {}.", "Variance d’erreur de {} : {}.", "Varianza del error de {}: {}.", "{} 的误差方差：{}。"],
  ["Dot: forecasts as they are; the curve: all forecasts shifted by one number.", "Punkt: Vorhersagen, wie sie sind; Kurve: alle um eine Zahl verschoben.", "Point : prévisions telles quelles ; courbe : toutes décalées d’un même nombre.", "Punto: pronósticos tal cual; curva: todos desplazados por un número.", "点：原预测；曲线：所有预测平移同一数值。"],
  ["{}; all equal: {}; limits for all pairs (Bonferroni), p adjusted by Holm.", "{}; alle gleich: {}; Grenzen für alle Paare (Bonferroni), p nach Holm angepasst.", "{} ; tous égaux : {} ; limites pour toutes les paires (Bonferroni), p ajustés selon Holm.", "{}; todos iguales: {}; límites para todos los pares (Bonferroni), p ajustados según Holm.", "{}；全部相等：{}；界限适用于全部配对（Bonferroni），p 值经 Holm 校正。"],
  ["{}; limits of each pair, p adjusted by Holm.", "{}; Grenzen je Paar, p nach Holm angepasst.", "{} ; limites de chaque paire, p ajustés selon Holm.", "{}; límites de cada par, p ajustados según Holm.", "{}；界限为各对，p 值经 Holm 校正。"],
  ["model", "Modell", "modèle", "modelo", "模型"],
  ["class", "Klasse", "classe", "clase", "类别"],
  ["first", "erste", "premier", "primero", "第一"],
  ["second", "zweite", "second", "segundo", "第二"],
  ["first over second", "erste über zweite", "premier sur second", "primero sobre segundo", "第一对第二"],
  ["second over first", "zweite über erste", "second sur premier", "segundo sobre primero", "第二对第一"],
  ["from score", "ab Score", "dès le score", "desde puntuación", "起始得分"],
  ["cost per case", "Kosten je Fall", "coût par cas", "coste por caso", "每例成本"],
  ["thresholds", "Schwellen", "seuils", "umbrales", "阈值数"],
  ["fpr from", "FPR ab", "TFP dès", "TFP desde", "FPR 起"],
  ["fpr to", "FPR bis", "TFP à", "TFP hasta", "FPR 止"],
  ["tpr from", "TPR ab", "TVP dès", "TVP desde", "TPR 起"],
  ["tpr to", "TPR bis", "TVP à", "TVP hasta", "TPR 止"],
  ["slope", "Steigung", "pente", "pendiente", "斜率"],
  ["observed / expected", "beobachtet / erwartet", "observé / attendu", "observado / esperado", "观测 / 预期"],
  ["Brier score", "Brier-Score", "score de Brier", "puntuación de Brier", "Brier 评分"],
  ["intercept", "Achsenabschnitt", "ordonnée", "intercepto", "截距"],
  ["low", "untere", "bas", "inferior", "下限"],
  ["high", "obere", "haut", "superior", "上限"],
  ["method", "Methode", "méthode", "método", "方法"],
  ["overestimation", "Überschätzung", "surestimation", "sobrestimación", "高估"],
  ["underestimation", "Unterschätzung", "sous-estimation", "subestimación", "低估"],
  ["bias", "Verzerrung", "biais", "sesgo", "偏差"],
  ["error variance", "Fehlervarianz", "variance d’erreur", "varianza del error", "误差方差"],
];

const exact = new Map(TERMS.filter(([text]) => !text.includes("{}")).map((row) => [row[0], row]));
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const patterns = TERMS.filter(([text]) => text.includes("{}")).map(
  (row) => [new RegExp(`^${row[0].split("{}").map(escaped).join("(.+?)")}$`, "s"), row] as const,
);

const methods = new Map(METHODS.map((row) => [row[0], row]));

/** The text at a `{}`: a method is translated, too; a name is kept. */
function inside(text: string, place: number): string {
  const parts = text.split(", ").map((part) => methods.get(part)?.[place]);
  return parts.every((part) => part !== undefined) ? parts.join(", ") : formats.value.sentence(text);
}

function looked(text: string, place: number, named = false): string | null {
  const known = named ? undefined : exact.get(text) ?? exact.get(text.charAt(0).toLowerCase() + text.slice(1));
  if (known) return known[place];
  for (const [pattern, row] of patterns) {
    const found = pattern.exec(text);
    if (!found) continue;
    let part = 0;
    return row[place].replace(/\{\}/g, () => inside(found[++part] ?? "", place));
  }
  return null;
}

/**
 * The text in the reader's language, or null where there are no words for it. One that may be a
 * name (`named`) is changed only where more than a name is there.
 */
export function translated(text: string, named = false): string | null {
  const place = ORDER.indexOf(language.value) + 1;
  if (!place) return formats.value.sentence(text);
  const whole = looked(text, place, named);
  if (whole !== null || named) return whole;
  if (!/[a-z]{2}/i.test(text)) return formats.value.sentence(text);
  // names of methods with a remark: "paired DeLong, Hotelling's F."
  const parts = text.replace(/\.$/, "").split(/, (?!\d{3})/);
  const found = parts.map((part) => looked(part, place));
  if (parts.length > 1 ? found.every((part) => part === null) : found[0] === null) return null;
  return found.map((part, k) => part ?? formats.value.sentence(parts[k])).join(", ") + (text.endsWith(".") ? "." : "");
}

/** The same; English where there are no words for it. */
export function term(text: string, named = false): string {
  return translated(text, named) ?? formats.value.sentence(text);
}

/** The language of a text, where it is not that of the page. */
export function languageOf(text: string): "en" | undefined {
  return translated(text) === null ? "en" : undefined;
}
