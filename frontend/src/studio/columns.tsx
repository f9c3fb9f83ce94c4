// Which column is what.
import type { Choice, Column, Task } from "./api";
import { FieldError, isWrong } from "./field_error";
import { applyColumns, form, reading, session } from "./store";
import { words } from "./text";

const TASKS: Task[] = ["binary", "multiclass", "ordinal", "regression"];

/** What another task asks for: the order of the classes, where they have one. */
function ofTask(label: Column | undefined, task: Task): Partial<Choice> {
  return { task, order: task === "ordinal" ? (label?.values ?? []) : [] };
}

/** What another label brings with it: the task that it asks for, and no positive class yet. */
function ofLabel(columns: Column[], choice: Choice, name: string): Partial<Choice> {
  const label = columns.find((column) => column.name === name);
  const scores = choice.scores.filter((each) => each !== name);
  return { label: name, positive: null, scores, ...ofTask(label, label?.task ?? "binary") };
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

function change(part: Partial<Choice>): void {
  if (form.value) form.value = { ...form.value, ...part };
}

export function ColumnPicker() {
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
        <FieldError fields={["label"]} />
      </div>
      <div class="field">
        <label>
          {t.task}
          <select data-testid="column-task" value={choice.task} onChange={(event) => change(ofTask(label, event.currentTarget.value as Task))}>
            {TASKS.map((task) => <option key={task} value={task}>{t[task]}</option>)}
          </select>
        </label>
      </div>
      {choice.task === "ordinal" && <Order choice={choice} />}
      {choice.task === "binary" && <div class="field">
        <label>
          {t.positive}
          <select data-testid="column-positive" value={choice.positive ?? ""} aria-invalid={isWrong("positive")} onChange={(event) => change({ positive: event.currentTarget.value || null })}>
            <option value="">{t.auto}</option>
            {(label?.values ?? []).map((value) => <option key={value} value={value}>{value}</option>)}
          </select>
        </label>
        <FieldError fields={["positive"]} />
      </div>}
      <div class="field wide">
        <Scores columns={source.columns} choice={choice} />
        <FieldError fields={["scores"]} />
      </div>
      <div class="field apply">
        <button type="submit" class="main" data-testid="column-apply" disabled={reading.value}>{t.apply}</button>
        <FieldError fields={["columns"]} />
      </div>
      <More choice={choice} names={names} />
    </form>
  );
}

/** A list in which a plain click picks a column or drops it, without a key to hold. */
function Scores({ columns, choice }: { columns: Column[]; choice: Choice }) {
  const offered = columns.filter((column) => column.name !== choice.label);
  const picked = (event: Event) => {
    const options = [...(event.currentTarget as HTMLSelectElement).selectedOptions];
    change({ scores: options.map((option) => option.value) });
  };
  const toggled = (event: MouseEvent) => {
    if (!(event.target instanceof HTMLOptionElement) || event.shiftKey) return;
    event.preventDefault();
    const list = event.currentTarget as HTMLSelectElement;
    const top = list.scrollTop;
    event.target.selected = !event.target.selected;
    list.focus();
    list.scrollTop = top;
    picked(event);
  };
  return (
    <label>
      {choice.task === "multiclass" ? words.value.classScores : words.value.scores}
      <select multiple data-testid="column-score" size={Math.min(Math.max(offered.length, 2), 3)} title={words.value.scoresHint} aria-invalid={isWrong("scores")} onMouseDown={toggled} onChange={picked}>
        {offered.map((column) => (
          <option key={column.name} value={column.name} selected={choice.scores.includes(column.name)}>{column.name}</option>
        ))}
      </select>
    </label>
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
      {(choice.task === "binary" || choice.task === "ordinal") && <label>
        {t.direction}
        <select data-testid="column-direction" value={choice.direction} onChange={(event) => change({ direction: event.currentTarget.value as Choice["direction"] })}>
          <option value="higher">{t.higher}</option>
          <option value="lower">{t.lower}</option>
        </select>
      </label>}
      <label class="check">
        <input type="checkbox" data-testid="column-missing" checked={choice.missing === "drop"} onChange={(event) => change({ missing: event.currentTarget.checked ? "drop" : "raise" })} />
        {t.missing}
      </label>
      {choice.task === "binary" && optional("weight", t.weight)}
      {choice.task === "binary" && optional("group", t.group)}
    </details>
  );
}
