// Which languages there are, and which one a reader gets.
import { signal, computed } from "@preact/signals";
import { de } from "./de";
import { en, type Strings } from "./en";
import { es } from "./es";
import { Formats, filled } from "./formats";
import { fr } from "./fr";
import { zh } from "./zh";

export const LANGUAGES: Record<string, { name: string; strings: Strings }> = {
  en: { name: "English", strings: en },
  de: { name: "Deutsch", strings: de },
  fr: { name: "Français", strings: fr },
  es: { name: "Español", strings: es },
  zh: { name: "中文", strings: zh },
};

/** The reader's locale if its language is among ours, else English. */
export function pickLocale(wanted: readonly string[]): string {
  return wanted.find((locale) => locale.slice(0, 2).toLowerCase() in LANGUAGES) ?? "en";
}

const ofReader = typeof navigator === "undefined" ? ["en"] : navigator.languages;
export const locale = signal(pickLocale(ofReader));
export const language = computed(() => locale.value.slice(0, 2).toLowerCase());
export const strings = computed(() => LANGUAGES[language.value].strings);
export const formats = computed(() => new Formats(locale.value));

/** A language that was chosen; the reader's own variety of it, if there is one. */
export function choose(code: string): void {
  const own = ofReader.find((each) => each.toLowerCase().startsWith(code));
  locale.value = own ?? code;
}

/** A text of the dictionary with its places filled. */
export function say(key: keyof Strings, values: Record<string, string | number> = {}): string {
  return filled(strings.value[key], values);
}
