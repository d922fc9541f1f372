// Draws the charts as SVG: bars of what is due, and lines of the last ten minutes.
'use strict';

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

/** As high and wide as it is shown, so that text is not stretched. */
const widthOf = svg => Math.max(200, svg.clientWidth);
const heightOf = svg => Math.max(60, svg.clientHeight);

/** How late something is. */
const lateText = millis => millis < 10000 ? `${Math.round(millis)} ms` : spanText(millis);

/** Empties a chart and draws its axes: the largest value at the left, three times below. */
const axes = (svg, most, format, times) => {
  const [width, height] = [widthOf(svg), heightOf(svg)];
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  svg.replaceChildren();
  for (const [value, y] of [[most, TOP + 8], [0, height - BOTTOM]]) {
    svg.append(svgElement('text', {x: LEFT - 6, y: y + 3, 'text-anchor': 'end'}, format(value)));
  }
  svg.append(svgElement('line', {class: 'axis', x1: LEFT, y1: height - BOTTOM, x2: width, y2: height - BOTTOM}));
  times.forEach((text, i) => svg.append(svgElement('text', {
    x: LEFT + i * (width - LEFT) / (times.length - 1), y: height - 4,
    'text-anchor': i === 0 ? 'start' : i === times.length - 1 ? 'end' : 'middle'}, text)));
};

const yOf = (value, most, height) => height - BOTTOM - value / most * (height - BOTTOM - TOP);

/** Bars over the time to come: overdue messages first, in their own colour. */
const drawBars = (svg, overdue, counts, aheadMillis) => {
  const most = Math.max(1, overdue, ...counts);
  axes(svg, most, short, ['now', `in ${spanText(aheadMillis / 2)}`, `in ${spanText(aheadMillis)}`]);
  const height = heightOf(svg);
  const step = (widthOf(svg) - LEFT) / (counts.length + 1);
  [overdue, ...counts].forEach((count, i) => svg.append(svgElement('rect', {class: i === 0 ? 'bar late' : 'bar',
    x: LEFT + i * step, width: Math.max(1, step - 1), y: yOf(count, most, height),
    height: count / most * (height - BOTTOM - TOP)})));
  svg.setAttribute('aria-label', `${overdue} messages are overdue; ${counts.reduce((a, b) => a + b, 0)} are due within `
    + `${spanText(aheadMillis)}, at most ${Math.max(...counts)} in ${spanText(aheadMillis / counts.length)}`);
};

const points = (times, values, most, width, height) => {
  const span = Math.max(1, times[times.length - 1] - times[0]);
  return values.map((value, i) => `${LEFT + (times[i] - times[0]) / span * (width - LEFT)},${yOf(value, most, height)}`).join(' ');
};

/** Lines over the time that has passed. */
const drawLines = (svg, times, series, spanMillis, format, label) => {
  const most = Math.max(1, ...series.flatMap(one => one.values));
  const [width, height] = [widthOf(svg), heightOf(svg)];
  axes(svg, most, format, [`${spanText(spanMillis)} ago`, 'now']);
  for (const {values, kind} of series) {
    if (values.length === 0) {
      continue;
    }
    svg.append(svgElement('polyline', {class: kind, points: points(times, values, most, width, height)}));
  }
  svg.setAttribute('aria-label', label);
};
