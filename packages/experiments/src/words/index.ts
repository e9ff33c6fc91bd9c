export { hasControls, withoutControls } from './control-characters.ts';
export { counted } from './counted.ts';
export { nearestName } from './nearest-name.ts';
export { apartNumbers, shortEnd, shortEnds, shortNumber } from './short-number.ts';
export { systemReason } from './system-reason.ts';
