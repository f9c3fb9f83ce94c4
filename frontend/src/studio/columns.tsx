// Which column is what.
import type { Choice, Column, Reason, Task } from "./api";
import { FieldError, isWrong } from "./field_error";
import { applyColumns, columnsOpen, form, problem, reading, session } from "./store";
import { tell, words } from "./text";

const TASKS: Task[] = ["binary", "multiclass", "ordinal", "regression", "survival"];

/** What another task needs: the order of the classes, where they have one. */
function ofTask(label: Column | undefined, task: Task): Partial<Choice> {
  return { task, order: task === "ordinal" ? (label?.values ?? []) : [] };
}

/** The choice for another label: its probable task, and no positive class yet. */
function ofLabel(columns: Column[], choice: Choice, name: string): Partial<Choice> {
  const label = columns.find((column) => column.name === name);
  const scores = choice.scores.filter((each) => each !== name);
  return { label: name, positive: null, censored: null, scores, ...ofTask(label, label?.task ?? "binary") };
}

const TWO: Task[] = ["binary", "survival"]; // with a code of the positive class, or of the event

/** The times of follow-up are no scores. */
function ofTime(choice: Choice, time: string): Partial<Choice> {
  return { time: time || null, scores: choice.scores.filter((each) => each !== time) };
}

const TIMES = /time|days|weeks|months|years|follow|zeit|tage|monate|jahre|temps|jours|mois|tiempo|días|meses|años|时间/i;

/** Another task; of censored outcomes with the column of times, where one is called so. */
function ofChosenTask(names: string[], choice: Choice, label: Column | undefined, task: Task): Partial<Choice> {
  const time = task === "survival" ? ofTime(choice, choice.time || likelyTime(names, choice)) : {};
  return { ...ofTask(label, task), ...time };
}

function likelyTime(names: string[], choice: Choice): string {
  return names.find((name) => TIMES.test(name) && name !== choice.label) ?? "";
}

function Order({ choice }: { choice: Choice }) {
  const typed = (event: Event) => change({ order: (event.currentTarget as HTMLInputElement).value.split(",").map((each) => each.trim()).filter(Boolean) });
  return (
    <div class="field">
      <label>
        {words.value.order}
        <input type="text" data-testid="column-order" value={choice.order.join(", ")} autocomplete="off" spellcheck={false} aria-invalid={isWrong("order")} onChange={typed} />
      </label>
      <FieldError fields={["order"]} />
    </div>
  );
}

const FIELDS = ["label", "time", "positive", "censored", "scores", "weight", "group", "order", "columns"];
const isAboutColumns = () => FIELDS.includes(problem.value?.field ?? "");
const isAboutMissing = () => isAboutColumns() && problem.value!.text.includes("Tick the box below");

/** Another choice; a message about the columns chosen before is removed. */
function change(part: Partial<Choice>): void {
  if (form.value) form.value = { ...form.value, ...part };
  const stays = Object.keys(part).every((name) => name === "missing" || name === "order"); // or the button moves
  if (isAboutColumns() && !stays) problem.value = null;
}

function MissingBox({ choice }: { choice: Choice }) {
  return (
    <label class="check">
      <input type="checkbox" data-testid="column-missing" checked={choice.missing === "drop"} onChange={(event) => change({ missing: event.currentTarget.checked ? "drop" : "raise" })} />
      {words.value.missing}
    </label>
  );
}

/** The message about a field, above its box. */
function Message({ field, choice }: { field: string; choice: Choice }) {
  return (
    <>
      <FieldError fields={[field]} />
      {isWrong(field) && isAboutMissing() && <MissingBox choice={choice} />}
    </>
  );
}

/** Why a column is not among the scores by default. */
function reasonOf(column: Column): Reason | undefined {
  const guess = session.value?.source?.guess;
  const own = form.value?.label === guess?.label ? guess?.left_out?.find((each) => each.name === column.name)?.why : undefined;
  return own ?? column.unfit ?? undefined;
}

/** The columns of the file that are no models, and why. */
export function LeftOut() {
  const { source, loaded, choice } = session.value ?? {};
  if (source?.form !== "file" || loaded !== source.name || !choice) return null;
  const used = [choice.label, ...choice.scores, choice.weight, choice.group, choice.time];
  const others = source.columns.filter((column) => !used.includes(column.name));
  if (!others.length) return null;
  const named = others.slice(0, MOST_NAMED).map((column) => {
    const why = reasonOf(column);
    return why ? `${column.name} (${words.value[why]})` : column.name;
  });
  const columns = [...named, ...(others.length > MOST_NAMED ? [`… (${others.length})`] : [])].join(", ");
  return <p class="hint" data-testid="left-out">{tell("leftOut", { columns })}</p>;
}

const MOST_NAMED = 12;

export function Columns() {
  if (session.value?.source?.form !== "file") return null;
  return (
    <details class="columns-part" open={columnsOpen.value || isAboutColumns()} onToggle={(event) => (columnsOpen.value = event.currentTarget.open)}>
      <summary data-testid="columns">{words.value.columns}</summary>
      <ColumnPicker />
    </details>
  );
}

function ColumnPicker() {
  const source = session.value?.source;
  const choice = form.value;
  if (!source || source.form !== "file" || !choice) return null;
  const t = words.value;
  const names = source.columns.map((column) => column.name);
  const label = source.columns.find((column) => column.name === choice.label);
  const submit = (event: Event) => {
    event.preventDefault();
    void applyColumns();
  };
  return (
    <form class="columns-form" aria-label={t.columns} onSubmit={submit}>
      <div class="field">
        <label>
          {t.label}
          <select data-testid="column-label" value={choice.label} aria-invalid={isWrong("label")} onChange={(event) => change(ofLabel(source.columns, choice, event.currentTarget.value))}>
            {!choice.label && <option value="">{t.pick}</option>}
            {names.map((name) => <option key={name} value={name}>{name}</option>)}
          </select>
        </label>
        <Message field="label" choice={choice} />
      </div>
      <div class="field">
        <label>
          {t.task}
          <select data-testid="column-task" value={choice.task} onChange={(event) => change(ofChosenTask(names, choice, label, event.currentTarget.value as Task))}>
            {TASKS.map((task) => <option key={task} value={task}>{t[task]}</option>)}
          </select>
        </label>
        {label && <span class="hint" data-testid="column-values">{label.values.length ? label.values.map((value) => `'${value}'`).join(", ") : tell("distinct", { n: label.distinct })}</span>}
      </div>
      {choice.task === "ordinal" && <Order choice={choice} />}
      {choice.task === "survival" && <div class="field">
        <label>
          {t.time}
          <select data-testid="column-time" value={choice.time ?? ""} aria-invalid={isWrong("time")} onChange={(event) => change(ofTime(choice, event.currentTarget.value))}>
            {!choice.time && <option value="">{t.pick}</option>}
            {names.map((name) => <option key={name} value={name}>{name}</option>)}
          </select>
        </label>
        <Message field="time" choice={choice} />
      </div>}
      {TWO.includes(choice.task) && <Code field="positive" title={choice.task === "survival" ? t.eventCode : t.positive} choice={choice} label={label} />}
      {choice.task === "survival" && <Code field="censored" title={t.censoredCode} choice={choice} label={label} />}
      <div class="field wide">
        <Scores columns={source.columns} choice={choice} />
        <Message field="scores" choice={choice} />
      </div>
      <div class="field apply">
        <button type="submit" class="main" data-testid="column-apply" disabled={reading.value}>{t.apply}</button>
        <Message field="columns" choice={choice} />
      </div>
      <More choice={choice} names={names} />
    </form>
  );
}

/** A list of the values of the label. */
function Code({ field, title, choice, label }: { field: "positive" | "censored"; title: string; choice: Choice; label: Column | undefined }) {
  return (
    <div class="field">
      <label>
        {title}
        <select data-testid={`column-${field}`} value={choice[field] ?? ""} aria-invalid={isWrong(field)} onChange={(event) => change({ [field]: event.currentTarget.value || null })}>
          <option value="">{words.value.auto}</option>
          {(label?.values ?? []).map((value) => <option key={value} value={value}>{value}</option>)}
        </select>
      </label>
      <FieldError fields={[field]} />
    </div>
  );
}

/** A box for each column but the label. */
function Scores({ columns, choice }: { columns: Column[]; choice: Choice }) {
  const offered = columns.filter((column) => column.name !== choice.label);
  const toggle = (name: string) => {
    const chosen = offered.filter((column) => choice.scores.includes(column.name) !== (column.name === name));
    change({ scores: chosen.map((column) => column.name) });
  };
  return (
    <fieldset class="score-list" aria-invalid={isWrong("scores")}>
      <legend>{choice.task === "multiclass" ? words.value.classScores : words.value.scores}</legend>
      <div>
        {offered.map((column) => {
          const why = reasonOf(column);
          return (
            <label key={column.name} class="check">
              <input type="checkbox" data-testid="column-score" value={column.name} checked={choice.scores.includes(column.name)} onChange={() => toggle(column.name)} />
              <span><span class="name">{column.name}</span>{why && <span class="hint"> ({words.value[why]})</span>}</span>
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}

function More({ choice, names }: { choice: Choice; names: string[] }) {
  const t = words.value;
  const open = choice.direction !== "higher" || choice.missing !== "raise" || !!choice.weight || !!choice.group || isWrong("weight") || isWrong("group");
  const optional = (field: "weight" | "group", label: string) => (
    <div>
      <label>
        {label}
        <select data-testid={`column-${field}`} value={choice[field] ?? ""} aria-invalid={isWrong(field)} onChange={(event) => change({ [field]: event.currentTarget.value || null })}>
          <option value="">{t.none}</option>
          {names.map((name) => <option key={name} value={name}>{name}</option>)}
        </select>
      </label>
      <FieldError fields={[field]} />
    </div>
  );
  return (
    <details class="field more" open={open}>
      <summary>{t.more}</summary>
      {[...TWO, "ordinal"].includes(choice.task) && <label>
        {t.direction}
        <select data-testid="column-direction" value={choice.direction} onChange={(event) => change({ direction: event.currentTarget.value as Choice["direction"] })}>
          <option value="higher">{t.higher}</option>
          <option value="lower">{t.lower}</option>
        </select>
      </label>}
      {!isAboutMissing() && <MissingBox choice={choice} />}
      {TWO.includes(choice.task) && optional("weight", t.weight)}
      {TWO.includes(choice.task) && optional("group", t.group)}
    </details>
  );
}
