// Sections that come as pictures and tables of the library.
import { PictureView } from "../charts/picture";
import type { Layer, Picture, Section } from "../payload";
import type { Strings } from "../text/en";
import { formats, strings } from "../text/languages";
import { Card, DataTable, Saved, ValueTable } from "./card";

const OF_MODELS = ["smooth-roc", "confident-segment", "precision-recall", "decision-curve", "calibration"];

/** One picture takes half the width, except where it would stand there alone. */
export function SectionCards({ sections }: { sections: Section[] }) {
  let half = false;
  return (
    <>
      {sections.map((section, k) => {
        const single = section.pictures.length === 1;
        const next = sections[k + 1]?.pictures.length === 1;
        const paired = single && (half || next);
        half = paired && !half;
        return <SectionCard key={section.id} section={section} half={paired} />;
      })}
    </>
  );
}

export function SectionCard({ section, half = false }: { section: Section; half?: boolean }) {
  const known = section.id in strings.value;
  const title = known ? strings.value[section.id as keyof Strings] : section.title;
  return (
    <Card id={section.id} title={title} testid={section.id} className={half ? "half" : section.pictures.length === 1 && section.tables.length ? "beside" : ""}>
      {section.text && <p lang="en">{formats.value.sentence(section.text)}</p>}
      <div class={section.pictures.length > 1 ? "pictures" : ""}>
        {section.pictures.map((picture, k) => (
          <div key={k}>
            <Saved name={`${section.id}${k || ""}`}>
              <PictureView picture={picture} label={section.pictures.length > 1 ? `${title} ${k + 1}` : title} byModel={OF_MODELS.includes(section.id)} />
            </Saved>
            <DataTable name={`${section.id}${k || ""}`} make={() => pictureTable(picture)} />
          </div>
        ))}
      </div>
      {section.tables.length > 0 && <div>{section.tables.map((table, k) => <ValueTable key={k} table={table} />)}</div>}
    </Card>
  );
}

/** The lines of a picture below each other. */
function pictureTable(picture: Picture) {
  const [names, xs, ys]: [string[], number[], number[]] = [[], [], []];
  for (const layer of picture.layers) {
    if (layer.kind === "cells") return cellTable(layer);
    const [x, y] = [layer.x, layer.y ?? layer.upper];
    if (!Array.isArray(x) || !Array.isArray(y) || layer.kind === "mesh") continue;
    x.forEach((value, k) => {
      names.push(layer.label ?? "");
      xs.push(value);
      ys.push(y[k]);
    });
  }
  return { title: "", columns: { "line": names, [picture.x.title]: xs, [picture.y.title || "y"]: ys } };
}

/** The fields of a table of fields, one in a row. */
function cellTable(layer: Layer) {
  const texts = layer.texts as string[][];
  const fields = texts.flatMap((line, row) => line.map((text, column) => ({ row: row + 1, column: column + 1, text: text.replaceAll("\n", " ") })));
  return { title: "", columns: { row: fields.map((each) => each.row), column: fields.map((each) => each.column), text: fields.map((each) => each.text) } };
}
