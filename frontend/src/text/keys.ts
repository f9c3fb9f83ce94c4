// Dictionaries travel as lists, without the keys that they share; build.mjs makes them so.
import { en, type Strings } from "./en";

export function sameKeys(texts: string[]): Strings {
  return Object.fromEntries(Object.keys(en).map((key, k) => [key, texts[k]])) as Strings;
}
