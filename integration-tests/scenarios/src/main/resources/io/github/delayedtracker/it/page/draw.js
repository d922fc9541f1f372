// Draws the charts as SVG: bars of what is due, and lines of the last ten minutes.
'use strict';

const HEIGHT = 176;
const LEFT = 64;
const BOTTOM = 20;
const TOP = 8;

const svgElement = (name, attributes, text) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  if (text !== undefined) {
    element.textContent = text;
  }
  return element;
};

/** A number in few characters. */
const short = number => number >= 1e6 ? `${+(number / 1e6).toPrecision(3)} M`
  : number >= 1e4 ? `${+(number / 1e3).toPrecision(3)} k` : `${Math.round(number * 10) / 10}`;

/** A number of bytes. */
const bytesText = bytes => bytes >= 1048576 ? `${(bytes / 1048576).toFixed(1)} MiB`
  : bytes >= 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${bytes} B`;

/** A span of time in its largest units. */
const spanText = millis => {
  const seconds = Math.round(millis / 1000);
  return seconds >= 86400 ? `${Math.floor(seconds / 86400)} d ${Math.floor(seconds % 86400 / 3600)} h`
    : seconds >= 3600 ? `${Math.floor(seconds / 3600)} h ${Math.floor(seconds % 3600 / 60)} min`
    : seconds >= 60 ? `${Math.floor(seconds / 60)} min ${seconds % 60} s` : `${seconds} s`;
};

/** As wide as it is shown, so that text is not stretched. */
const widthOf = svg => Math.max(200, svg.clientWidth);

/** Empties a chart and draws its axes: the largest value at the left, three times below. */
const axes = (svg, most, format, times) => {
  svg.setAttribute('viewBox', `0 0 ${widthOf(svg)} ${HEIGHT}`);
  svg.replaceChildren();
  for (const [value, y] of [[most, TOP + 8], [0, HEIGHT - BOTTOM]]) {
    svg.append(svgElement('text', {x: LEFT - 6, y: y + 3, 'text-anchor': 'end'}, format(value)));
  }
  svg.append(svgElement('line', {class: 'axis', x1: LEFT, y1: HEIGHT - BOTTOM, x2: widthOf(svg), y2: HEIGHT - BOTTOM}));
  times.forEach((text, i) => svg.append(svgElement('text', {
    x: LEFT + i * (widthOf(svg) - LEFT) / (times.length - 1), y: HEIGHT - 4,
    'text-anchor': i === 0 ? 'start' : i === times.length - 1 ? 'end' : 'middle'}, text)));
};

const yOf = (value, most) => HEIGHT - BOTTOM - value / most * (HEIGHT - BOTTOM - TOP);

/** Bars over the time to come: overdue messages first, in their own colour. */
const drawBars = (svg, overdue, counts, aheadMillis) => {
  const most = Math.max(1, overdue, ...counts);
  axes(svg, most, short, ['now', `in ${spanText(aheadMillis / 2)}`, `in ${spanText(aheadMillis)}`]);
  const step = (widthOf(svg) - LEFT) / (counts.length + 1);
  [overdue, ...counts].forEach((count, i) => svg.append(svgElement('rect', {class: i === 0 ? 'bar late' : 'bar',
    x: LEFT + i * step, width: Math.max(1, step - 1), y: yOf(count, most), height: count / most * (HEIGHT - BOTTOM - TOP)})));
  svg.setAttribute('aria-label', `${overdue} messages are overdue; ${counts.reduce((a, b) => a + b, 0)} are due within `
    + `${spanText(aheadMillis)}, at most ${Math.max(...counts)} in ${spanText(aheadMillis / counts.length)}`);
};

const points = (values, most, width) => values.map((value, i) =>
  `${LEFT + i * (width - LEFT) / Math.max(1, values.length - 1)},${yOf(value, most)}`).join(' ');

/** Lines over the time that has passed; the first may be an area. */
const drawLines = (svg, series, spanMillis, format, label) => {
  const most = Math.max(1, ...series.flatMap(one => one.values));
  const width = widthOf(svg);
  axes(svg, most, format, [`${spanText(spanMillis)} ago`, 'now']);
  for (const {values, kind} of series) {
    if (values.length === 0) {
      continue;
    }
    svg.append(kind === 'area'
      ? svgElement('polygon', {class: kind,
        points: `${LEFT},${HEIGHT - BOTTOM} ${points(values, most, width)} ${values.length > 1 ? width : LEFT},${HEIGHT - BOTTOM}`})
      : svgElement('polyline', {class: kind, points: points(values, most, width)}));
  }
  svg.setAttribute('aria-label', label);
};
