/* A button that copies the code of an example, without prompts and without output; tables in outputs are scrolled. */
const PROMPT = /^(>>>|\.\.\.|\$) ?/;

function codeOf(text) {
  const lines = text.replace(/\n+$/, "").split("\n");
  if (!lines.some((line) => /^(>>>|\$)/.test(line))) return lines.join("\n");
  return lines.filter((line) => PROMPT.test(line)).map((line) => line.replace(PROMPT, "")).join("\n");
}

function hasTable(text) {
  const output = text.split("\n").filter((line) => !PROMPT.test(line));
  return output.filter((line) => /^\||\S {2,}\S.* {2,}\S/.test(line)).length > 1;
}

function addButton(block) {
  const button = document.createElement("button");
  button.className = "copy";
  button.type = "button";
  button.textContent = "Copy";
  button.setAttribute("aria-label", "Copy this code");
  button.addEventListener("click", async () => {
    const text = codeOf(block.querySelector("pre").textContent);
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not allowed";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  block.append(button);
}

document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("article div.highlight").forEach(addButton);
  document.querySelectorAll("article div.highlight pre").forEach((pre) => {
    pre.classList.toggle("table", hasTable(pre.textContent));
  });
});
