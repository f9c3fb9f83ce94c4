// Where the page begins.
import { effect } from "@preact/signals";
import { render } from "preact";
import "./page.css";
import { embedded } from "./payload";
import { BinaryPage, openForPrint, SectionsPage, theme } from "./page";
import { State } from "./state";
import { choose, language, LANGUAGES } from "./text/languages";

const payload = embedded();
if (payload.language && payload.language in LANGUAGES) choose(payload.language);
effect(() => {
  document.documentElement.lang = language.value;
});
openForPrint();
const root = document.getElementById("rocwise")!;
if (payload.task === "binary") render(<BinaryPage state={new State(payload)} />, root);
else {
  theme.value = payload.state?.theme ?? "auto";
  render(<SectionsPage payload={payload} />, root);
}
// effects that measure widths run before the next frame; then the layout is final
requestAnimationFrame(() => setTimeout(() => performance.mark("rocwise-ready")));
