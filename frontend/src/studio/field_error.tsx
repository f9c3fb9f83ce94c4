// An error message, next to the field that it is about.
import { formats } from "../text/languages";
import { problem } from "./store";
import { tell, words } from "./text";

export function megabytes(bytes: number): string {
  return `${formats.value.count(Math.round(bytes / 1e6))} MB`;
}

function sentence(text: string): string {
  if (text === "no-server") return words.value.noServer;
  if (text === "no-token") return words.value.noToken;
  const large = text.match(/^too-large:(.*):(\d+):(\d+)$/s);
  if (!large) return text.replace(/^[a-z]+(?=[\s,:])/, (word) => word.charAt(0).toUpperCase() + word.slice(1)); // no file name
  return tell("tooLarge", { name: large[1], size: megabytes(Number(large[2])), largest: megabytes(Number(large[3])) });
}

/** There is one error at a time, at one of these fields. */
export function FieldError({ fields }: { fields: string[] }) {
  const found = problem.value;
  if (!found || !fields.includes(found.field)) return null;
  return (
    <p class="error" role="alert" data-testid="error" data-field={found.field} id="studio-error">
      {sentence(found.text)}
    </p>
  );
}

export const isWrong = (field: string) => problem.value?.field === field;
