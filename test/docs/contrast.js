/**
 * Runs in a page: finds visible texts whose contrast with their background is below WCAG AA, which is 4.5, or 3 for
 * large ones.
 */
globalThis.faintTexts = function faintTexts() {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const colorOf = (css) => {
    if (!canvas) throw new Error("no canvas");
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = css;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = (top, below) => {
    const mix = (index) => top[index] * top[3] + below[index] * (1 - top[3]);
    return [mix(0), mix(1), mix(2), 1];
  };
  const behind = (element) => {
    if (!element) return [255, 255, 255, 1];
    const own = colorOf(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own : over(own, behind(element.parentElement));
  };
  const light = (color) => {
    const part = (value) => (value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(color[0]) + 0.7152 * part(color[1]) + 0.0722 * part(color[2]);
  };
  const seen = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent?.trim() ?? "";
    if (!element || text === "" || /^(SCRIPT|STYLE|BUTTON|SELECT|OPTION)$/.test(element.tagName)) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const style = getComputedStyle(element);
    const ground = behind(element);
    const [one, other] = [light(over(colorOf(style.color), ground)), light(ground)];
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    const size = Number.parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const key = `${style.color} on ${ground}`;
    if (ratio < (isLarge ? 3 : 4.5)) seen.set(key, { text: text.slice(0, 40), ratio: Math.round(ratio * 100) / 100 });
  }
  return [...seen.values()];
};
