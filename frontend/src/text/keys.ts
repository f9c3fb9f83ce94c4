// Dictionaries are stored as lists without their common keys, by build.mjs.
import { en, type Strings } from "./en";

export function sameKeys(texts: string[]): Strings {
  return Object.fromEntries(Object.keys(en).map((key, k) => [key, texts[k]])) as Strings;
}
