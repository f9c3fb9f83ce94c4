// Where the studio begins.
import { effect } from "@preact/signals";
import { render } from "preact";
import "../page.css";
import "./studio.css";
import { openForPrint } from "../page";
import { language } from "../text/languages";
import { takeToken } from "./api";
import { begin, keepFollowing, state } from "./store";
import { Studio } from "./studio";
import { catchDrops } from "./top_bar";

effect(() => {
  document.documentElement.lang = language.value;
});
takeToken();
openForPrint();
catchDrops();
keepFollowing();
render(<Studio />, document.getElementById("rocwise")!);
let marked = false;
const mark = () => {
  if (marked) return;
  marked = true;
  requestAnimationFrame(() => setTimeout(() => performance.mark("rocwise-ready")));
};
effect(() => {
  if (state.value) mark();
});
void begin().then(mark);
