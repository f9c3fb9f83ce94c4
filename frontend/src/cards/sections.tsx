// Sections that come as pictures and tables of the library.
import { PictureView } from "../charts/picture";
import type { Picture, Section } from "../payload";
import type { Strings } from "../text/en";
import { formats, strings } from "../text/languages";
import { Card, DataTable, Saved, ValueTable } from "./card";

export function SectionCard({ section }: { section: Section }) {
  const known = section.id in strings.value;
  const title = known ? strings.value[section.id as keyof Strings] : section.title;
  return (
    <Card id={section.id} title={title} testid={section.id} className={section.pictures.length > 1 ? "" : "half"}>
      {section.text && <p lang="en">{formats.value.sentence(section.text)}</p>}
      <div class={section.pictures.length > 1 ? "pictures" : ""}>
        {section.pictures.map((picture, k) => (
          <div key={k}>
            <Saved name={`${section.id}${k || ""}`}>
              <PictureView picture={picture} label={section.pictures.length > 1 ? `${title} ${k + 1}` : title} />
            </Saved>
            <DataTable make={() => pictureTable(picture)} />
          </div>
        ))}
      </div>
      {section.tables.map((table, k) => <ValueTable key={k} table={table} />)}
    </Card>
  );
}

/** The lines of a picture below each other. */
function pictureTable(picture: Picture) {
  const [names, xs, ys]: [string[], number[], number[]] = [[], [], []];
  for (const layer of picture.layers) {
    const [x, y] = [layer.x, layer.y ?? layer.upper];
    if (!Array.isArray(x) || !Array.isArray(y) || layer.kind === "mesh") continue;
    x.forEach((value, k) => {
      names.push(layer.label ?? "");
      xs.push(value);
      ys.push(y[k]);
    });
  }
  return { title: "", columns: { " ": names, [picture.x.title]: xs, [picture.y.title || "y"]: ys } };
}
