// The page at work: tables that sort, a filter over all that is shown, charts, files by a click, and links to a view.
"use strict";
(() => {
  const report = JSON.parse(document.getElementById("report").textContent);
  const NOTHING = "–", INK = "#1A1A1A", PAPER = "#FFFFFF";
  const WIDTH = 1000, PAGE = 680, NARROW = 600, LETTER = 7, LEAST_BARS = 340;   // a figure's file, a printed page, a phone, a letter, bars: in pixels
  const MARKED = ["", " best", " second"], MOST_ROWS = 45;   // of a page's length
  const ALWAYS = ["task", "representation", "layer", "encoder", "value"];   // columns of any table
  const CONFIG = { typesetMath: false };   // of Plotly: a dollar is one
  const chosen = {};   // by facet the set of values that are shown; all without one
  const sorted = {};   // by table the column and the direction
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const $ = (selector, within = document) => [...within.querySelectorAll(selector)];

  function make(tag, properties = {}, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  // ------------------------------------------------------------------ what is shown
  const isShown = (facet, value) =>
    value === null || value === undefined || !chosen[facet] || chosen[facet].has(String(value));

  const allShown = facets => Object.entries(facets || {}).every(([facet, value]) => isShown(facet, value));

  function shownPlaces(facets, length) {
    const entries = Object.entries(facets || {}).filter(([facet]) => chosen[facet]);
    return [...Array(length).keys()].filter(at => entries.every(([facet, values]) => isShown(facet, values[at])));
  }

  // ------------------------------------------------------------------ tables
  function cellText(value, form) {
    if (value === null) return NOTHING;
    if (typeof value === "boolean") return value ? "yes" : "no";
    if (form === "text" || typeof value === "string") return String(value);
    if (form === "percent") return (100 * value).toFixed(1).replace(/^-0\.0$/, "0.0");
    if (form === "tenth") return value.toFixed(1).replace(/^-0\.0$/, "0.0");
    if (form === "p") return value < 0.0005 ? "< 0.001" : value.toFixed(3);
    if (form === "count") return String(Number(value.toPrecision(4)));
    return value.toFixed(3).replace(/^-0\.000$/, "0.000");
  }

  function rowsOf(key) {
    const { columns, values, marks } = report.tables[key];
    const length = values.length ? values[0].length : 0;
    const facets = Object.fromEntries(columns.map(([name], at) => [name, values[at]]));
    const rows = shownPlaces(facets, length).map(at =>
      Object.assign(values.map(column => column[at]), { marks: marks ? marks.map(column => column[at]) : [] }));
    if (!sorted[key]) return rows;
    const [name, direction] = sorted[key];
    const at = columns.findIndex(column => column[0] === name);
    if (at < 0) return rows;
    const sign = direction === "descending" ? -1 : 1;
    const compare = (a, b) => typeof a === "string" ? a.localeCompare(b, "en", { numeric: true }) : a - b;
    return rows.sort((one, other) => {
      const [a, b] = [one[at], other[at]];
      if (a === null || b === null) return (a === null) - (b === null);  // what is missing comes last
      return sign * compare(a, b);
    });
  }

  function fillTable(key, body) {
    const { columns } = report.tables[key];
    const place = columns.findIndex(column => column[0] === "place");
    const rows = rowsOf(key).map(cells => {
      const row = make("tr", {}, ...columns.map(([name, , form], at) => make("td", {
        textContent: cellText(cells[at], form),
        className: (form === "text" ? "" : "number") + (name === "value" ? " score" : "") + MARKED[cells.marks[at] || 0],
      })));
      if (place >= 0 && cells[place] !== null) row.dataset.place = cells[place];
      return row;
    });
    if (!rows.length) {
      const cell = make("td", { colSpan: columns.length || 1, className: "empty", textContent: "Nothing is shown." });
      rows.push(make("tr", {}, cell));
    }
    body.replaceChildren(...rows);
  }

  function makeTable(holder) {
    const key = holder.dataset.table, { title, columns } = report.tables[key];
    const heads = columns.map(([name, label, form]) => {
      const button = make("button", { type: "button", textContent: label });
      const head = make("th", { scope: "col", className: form === "text" ? "" : "number" }, button);
      head.setAttribute("aria-sort", sorted[key] && sorted[key][0] === name ? sorted[key][1] : "none");
      button.addEventListener("click", () => {
        const before = head.getAttribute("aria-sort");
        const first = form === "text" || form === "p" || name === "place" ? "ascending" : "descending";
        const other = first === "ascending" ? "descending" : "ascending";
        const direction = before === first ? other : first;
        $("th", head.parentNode).forEach(each => each.setAttribute("aria-sort", "none"));
        head.setAttribute("aria-sort", direction);
        sorted[key] = [name, direction];
        fillTable(key, body);
        writeLink();
      });
      return head;
    });
    const body = make("tbody");
    const table = make("table", {}, make("caption", { textContent: title }),
      make("thead", {}, make("tr", {}, ...heads)), body);
    const scroll = make("div", { className: "scroll", tabIndex: 0 }, table);
    scroll.setAttribute("role", "group");
    scroll.setAttribute("aria-label", `Table: ${title}`);
    fillTable(key, body);
    const buttons = make("div", { className: "buttons" },
      fileButton("CSV", title, () => download(`${key}.csv`, "text/csv", csv(key))),
      fileButton("LaTeX", title, () => download(`${key}.tex`, "text/x-tex", latex(key))));
    holder.append(scroll, buttons);
    holder.fill = () => fillTable(key, body);
  }

  // ------------------------------------------------------------------ files
  function fileButton(kind, title, save) {
    const button = make("button", { type: "button", textContent: kind, title: `Save as ${kind}` });
    button.setAttribute("aria-label", `Save as ${kind}: ${title}`);
    button.addEventListener("click", save);
    return button;
  }

  function download(name, type, content) {
    const isLink = typeof content === "string" && type === null;
    const address = isLink ? content : URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
    const link = make("a", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    if (!isLink) setTimeout(() => URL.revokeObjectURL(address), 10000);
  }

  // As `run_folders/results_file.py`: text that a spreadsheet would calculate has a ' before it.
  const FORMULA = /^'*[=+\-@\t\r\uff0b\uff0d\uff1d\uff20]/, NUMBER = /^'*[+-]?\d+(\.\d+)?$/;

  function csv(key) {
    const plain = text => FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
    const quoted = cell => {
      const text = cell === null ? "" : typeof cell === "string" ? plain(cell) : String(cell);
      return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    };
    const names = report.tables[key].columns.map(column => column[0]);
    return [names, ...rowsOf(key)].map(row => row.map(quoted).join(",") + "\n").join("");
  }

  const LATEX = {
    "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "–": "--", "±": "$\\pm$",
    "−": "$-$", "<": "$<$", ">": "$>$", "|": "\\textbar{}", "ρ": "$\\rho$", "×": "$\\times$",
    "&": "\\&", "%": "\\%", "$": "\\$", "#": "\\#", "_": "\\_", "{": "\\{", "}": "\\}",
  };

  // Control characters, marks that turn the direction of text, ends of lines, halves of characters; as in commands/tables.py.
  const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Surrogate}/gu;
  const inLine = text => text.split(/\s+/).filter(Boolean).join(" ").replace(UNSEEN, "\ufffd");

  // As `page_latex`: what is the same in all rows stands in the caption.
  function latex(key) {
    const { title, columns } = report.tables[key], rows = rowsOf(key);
    const escaped = text => {
      const number = /^[\d\s.,;±%()[\]+-]+$/.test(text) ? text.replaceAll("-", "−") : text;
      const line = [...inLine(number)].map(letter => LATEX[letter] || letter).join("");
      return /^[[*]/.test(line) ? `{${line}}` : line;
    };
    const texts = rows.map(row => row.map((cell, at) => cellText(cell, columns[at][2])));
    const all = [...columns.keys()];
    const isMarked = at => rows.some(row => row.marks[at]);
    const kept = all.filter(at => texts.length < 2 || new Set(texts.map(row => row[at])).size > 1
      || ALWAYS.includes(columns[at][0]) || isMarked(at));
    const same = all.filter(at => !kept.includes(at)).map(at => `${columns[at][1]} ${texts[0][at]}`);
    const marked = (text, mark) => mark ? `\\${mark === 1 ? "textbf" : "underline"}{${text}}` : text;
    const line = cells => cells.join(" & ") + " \\\\";
    const body = texts.map((row, number) => line(kept.map(at => marked(escaped(row[at]), rows[number].marks[at]))));
    const head = line(kept.map(at => escaped(columns[at][1])));
    const sides = `{${kept.map(at => columns[at][2] === "text" ? "l" : "r").join("")}}`;
    const caption = `\\caption{${escaped(`${title}.${same.length ? ` All rows: ${same.join(", ")}.` : ""}`)}}\\label{tab:${key}}`;
    const long = rows.length > MOST_ROWS;
    return (long ? [
      "% \\usepackage{booktabs,longtable}", `\\begin{longtable}${sides}`, `${caption}\\\\`, "\\toprule", head, "\\midrule",
      "\\endhead", ...body, "\\bottomrule", "\\end{longtable}", "",
    ] : [
      "% \\usepackage{booktabs,graphicx}", "\\begin{table}", "\\centering", caption,
      "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%",
      `\\begin{tabular}${sides}`, "\\toprule", head, "\\midrule", ...body, "\\bottomrule", "\\end{tabular}", "}", "\\end{table}", "",
    ]).join("\n");
  }

  function pixels(drawing) {
    const canvas = make("canvas", { width: 2 * drawing.naturalWidth, height: 2 * drawing.naturalHeight });
    canvas.getContext("2d").drawImage(drawing, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL("image/png");
  }

  async function savePicture(key, format) {
    const { data, layout } = drawn(report.figures[key], false, WIDTH);
    if (!data.length) return;
    const size = { width: layout.width, height: layout.height, scale: format === "png" ? 2 : 1 };
    const picture = { data, config: CONFIG, layout: { ...layout, paper_bgcolor: "#fff", plot_bgcolor: "#fff" } };
    download(`${key}.${format}`, null, await Plotly.toImage(picture, { format, ...size }));
  }

  // ------------------------------------------------------------------ charts
  const copy = value => JSON.parse(JSON.stringify(value));

  function filtered(trace, part) {
    if (!allShown(part.all)) return null;
    if (trace.type === "heatmap") {
      const rows = shownPlaces(part.rows, trace.y.length), columns = shownPlaces(part.columns, trace.x.length);
      const cells = matrix => rows.map(row => columns.map(column => matrix[row][column]));
      return rows.length && columns.length && {
        ...trace, z: cells(trace.z), text: cells(trace.text),
        y: rows.map(row => trace.y[row]), x: columns.map(column => trace.x[column]),
      };
    }
    const radial = trace.type === "scatterpolar";
    const [across, along] = radial ? ["theta", "r"] : ["x", "y"];
    let places = shownPlaces(part.points, trace[along].length);
    if (!places.length) return null;
    if (radial) places = [...places, places[0]];  // a closed line
    const take = values => places.map(at => values[at]);
    const kept = { ...trace, [across]: take(trace[across]), [along]: take(trace[along]) };
    if (trace.text) kept.text = take(trace.text);
    if (trace.error_y) {
      kept.error_y = { ...trace.error_y, array: take(trace.error_y.array), arrayminus: take(trace.error_y.arrayminus) };
    }
    return kept;
  }

  const longest = texts => Math.max(0, ...texts.map(text => String(text ?? "").length));

  const shortened = text => text.length > 18 ? `${text.slice(0, 10)}…${text.slice(-7)}` : text;

  // Long names leave no room on a phone; its table has them whole.
  function shortenNames(data, layout) {
    const heat = data.find(trace => trace.type === "heatmap");
    const names = { xaxis: data.filter(trace => heat || trace.type === "bar").flatMap(trace => trace.x), yaxis: heat ? heat.y : [] };
    for (const [axis, values] of Object.entries(names)) {
      if (longest(values) <= 18) continue;
      const shown = [...new Set(values)];
      Object.assign(layout[axis], { tickmode: "array", tickvals: shown, ticktext: shown.map(shortened) });
    }
  }

  // How wide a chart must be to be read, and how high with its legend above it and its labels below. In pixels.
  function sizeOf(data, layout, room) {
    const [first] = data, isHeat = first.type === "heatmap";
    const bars = data.filter(trace => trace.type === "bar").length;
    const names = isHeat || bars ? [...new Set(data.flatMap(trace => trace.x))] : [];
    const shown = axis => layout[axis].ticktext;
    const beside = isHeat ? LETTER * longest(shown("yaxis") || first.y) + 130 : 80;
    const cell = isHeat ? LETTER * longest(first.text.flat()) + 12 : Math.max(40, 9 * bars);
    const width = Math.max(room, bars ? LEAST_BARS : 0, beside + names.length * cell);
    let height = layout.height;
    if (data.length > 1) {
      const inRow = Math.floor((width - beside) / (LETTER * longest(data.map(trace => trace.name)) + 50));
      height += 20 * Math.ceil(data.length / Math.max(1, inRow));
    }
    const letters = names.length && LETTER * longest(shown("xaxis") || names);
    if (letters > (width - beside) / names.length) height += 0.7 * letters;  // they are turned
    return { width, height };
  }

  function drawn(figure, isDark, room) {
    const [ink, line, paper] = isDark ? ["#ececec", "#3b4047", "#16181b"] : ["#1a1a1a", "#d5d8dc", "#ffffff"];
    const data = figure.data.map((trace, at) => filtered(trace, figure.parts[at])).filter(Boolean).map(copy);
    for (const trace of data) {
      const marker = trace.marker;
      if (marker && marker.color === INK) marker.color = ink;
      if (marker && marker.line) marker.line.color = { [INK]: ink, [PAPER]: paper }[marker.line.color];
      if (trace.type === "bar") trace.error_y = { ...trace.error_y, color: ink };
    }
    const axis = { gridcolor: line, linecolor: line, zerolinecolor: ink };
    const layout = copy(figure.layout);
    for (const name of ["xaxis", "yaxis"]) if (layout[name]) layout[name] = { ...axis, ...layout[name] };
    if (layout.polar) {
      for (const name of ["radialaxis", "angularaxis"]) layout.polar[name] = { ...axis, ...layout.polar[name] };
      layout.polar.bgcolor = "rgba(0,0,0,0)";
    }
    if (!data.length) return { data, layout };
    if (room < NARROW) shortenNames(data, layout);
    const many = data.length > 1;
    return { data, layout: {
      ...layout, ...sizeOf(data, layout, room), paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", showlegend: many, hovermode: "closest",
      font: { family: "system-ui, sans-serif", size: 13, color: ink }, hoverlabel: { namelength: -1 },
      // Above, where no labels of an axis are in its way.
      legend: { orientation: "h", yanchor: "bottom", y: layout.polar ? 1.12 : 1.02, x: 0, maxheight: 1000 },
      margin: layout.polar ? { t: 40, r: 88, b: 40, l: 88 } : { t: 16, r: 16, b: 40, l: 48 },
    } };
  }

  function drawChart(element, key) {
    const { data, layout } = drawn(report.figures[key], dark.matches && !printing, printing ? PAGE : element.clientWidth);
    if (!data.length) {
      Plotly.purge(element);
      element.replaceChildren(make("p", { className: "empty", textContent: "Nothing is shown." }));
      return;
    }
    if ($(".empty", element).length) element.replaceChildren();
    // What is scrolled must be reached by keyboard, too.
    if (layout.width > element.clientWidth) element.tabIndex = 0;
    else element.removeAttribute("tabindex");
    return Plotly.react(element, data, layout, { displayModeBar: false, ...CONFIG });
  }

  let round = 0, last = Promise.resolve(), printing = false;
  function drawAll() {
    const mine = ++round;
    document.documentElement.dataset.drawn = "";
    last = last.then(() => drawRound(mine));  // a chart that is being drawn must not be drawn anew, or removed
    return last;
  }

  // A browser prints what is there when this returns.
  function drawForPrint() {
    printing = true;
    round += 1;
    for (const holder of $("[data-figure]:not([hidden])")) {
      for (const element of $(".chart", holder)) drawChart(element, holder.dataset.figure);
    }
  }

  async function drawRound(mine) {
    if (mine !== round) return;
    for (const holder of $("[data-figure]")) {
      const key = holder.dataset.figure, [element] = $(".chart", holder);
      holder.hidden = !allShown(report.figures[key].facets);
      if (element && !holder.hidden) {
        try { await drawChart(element, key); } catch (error) { console.error(key, error); }
        await new Promise(resolve => setTimeout(resolve));  // so that the page stays quick
        if (mine !== round) return;
      }
    }
    document.documentElement.dataset.drawn = "all";
  }

  // ------------------------------------------------------------------ the filter, and links
  function writeLink() {
    const parts = Object.entries(chosen).map(([facet, values]) =>
      `${facet}=${[...values].map(encodeURIComponent).join(",")}`);
    for (const [key, [name, direction]] of Object.entries(sorted)) {
      parts.push(`sort.${encodeURIComponent(key)}=${encodeURIComponent(name)},${direction}`);
    }
    const address = `#view?${parts.join("&")}`;
    document.getElementById("view").href = address;
    if (parts.length || location.hash.startsWith("#view")) history.replaceState(null, "", address);
  }

  function readLink() {
    if (!location.hash.startsWith("#view?")) return;
    for (const each of [chosen, sorted]) Object.keys(each).forEach(key => delete each[key]);
    for (const part of location.hash.slice(6).split("&").filter(Boolean)) {
      const [name, text = ""] = part.split("=");
      let key, values;
      try {
        [key, values] = [decodeURIComponent(name), text.split(",").map(decodeURIComponent)];
      } catch { continue; }
      if (key.startsWith("sort.")) {
        key = key.slice(5);
        if (Object.hasOwn(report.tables, key) && ["ascending", "descending"].includes(values[1])) sorted[key] = values;
      } else if (Object.hasOwn(report.facets, key)) {
        chosen[key] = new Set(values.filter(value => report.facets[key].includes(value)));
      }
    }
  }

  function sayShown() {
    const limits = Object.entries(chosen).map(([facet, values]) =>
      `${values.size} of ${report.facets[facet].length} ${facet}s`);
    document.getElementById("shown").textContent = limits.length ? `Shown: ${limits.join(", ")}.` : "All is shown.";
    document.getElementById("reset").hidden = !limits.length;
  }

  function fillAll() {
    sayShown();
    $("[data-table]").forEach(holder => holder.fill && holder.fill());
    return drawAll();
  }

  function setBoxes() {
    $("#choices input").forEach(box => { box.checked = isShown(box.name, box.value); });
  }

  function makeFilter() {
    const form = document.getElementById("filter"), choices = document.getElementById("choices");
    for (const [facet, values] of Object.entries(report.facets)) {
      const boxes = values.map(value => make("label", {},
        make("input", { type: "checkbox", name: facet, value, checked: true }), ` ${value}`));
      const fields = make("fieldset", {}, make("legend", { textContent: facet }), ...boxes);
      choices.append(make("details", {}, make("summary", { textContent: facet[0].toUpperCase() + facet.slice(1) }), fields));
    }
    form.addEventListener("change", event => {
      const facet = event.target.name;
      const on = $(`input[name="${facet}"]`, form).filter(box => box.checked).map(box => box.value);
      if (on.length === report.facets[facet].length) delete chosen[facet]; else chosen[facet] = new Set(on);
      writeLink();
      fillAll();
    });
    form.addEventListener("submit", event => event.preventDefault());
    form.addEventListener("reset", event => {
      event.preventDefault();
      Object.keys(chosen).forEach(facet => delete chosen[facet]);
      setBoxes();
      writeLink();
      fillAll();
    });
    if (!Object.keys(report.facets).length) form.hidden = true;
  }

  function makeFigures() {
    for (const holder of $("[data-figure]")) {
      const key = holder.dataset.figure, title = $("h3", holder)[0].textContent, [drawing] = $("img", holder);
      const buttons = $(".buttons", holder)[0];
      if (drawing) {
        buttons.append(fileButton("PNG", title, () => download(`${key}.png`, null, pixels(drawing))),
          fileButton("SVG", title, () => download(`${key}.svg`, null, drawing.src)));
      } else {
        for (const format of ["png", "svg"]) {
          buttons.append(fileButton(format.toUpperCase(), title, () => savePicture(key, format)));
        }
      }
      const [details] = $("details", holder);
      details.addEventListener("toggle", () => {
        const [place] = $("[data-table]", details);
        if (details.open && !place.fill) makeTable(place);
      });
    }
  }

  readLink();
  makeFilter();
  setBoxes();
  makeFigures();
  $("[data-table]").filter(holder => !holder.closest("details")).forEach(makeTable);
  writeLink();
  fillAll();
  dark.addEventListener("change", drawAll);
  addEventListener("beforeprint", drawForPrint);
  addEventListener("afterprint", () => {
    printing = false;
    drawAll();
  });
  let width = innerWidth, waiting;
  addEventListener("resize", () => {
    if (innerWidth === width || printing) return;
    width = innerWidth;
    clearTimeout(waiting);
    waiting = setTimeout(drawAll, 150);
  });
  addEventListener("hashchange", () => {
    if (!location.hash.startsWith("#view?")) return;
    readLink();
    setBoxes();
    fillAll();
  });
})();
