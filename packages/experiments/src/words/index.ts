export { hasControls, withoutControls } from './control-characters.ts';
export { counted } from './counted.ts';
export { decimalNumber } from './decimal-number.ts';
export { deployedParametersText } from './deployed-parameters.ts';
export { WITH_RESUME } from './going-on.ts';
export { nearestName } from './nearest-name.ts';
export { apartFromEnds, lowerEndAlone, shortEnd, shortEnds, shortNumber } from './short-number.ts';
export { systemReason } from './system-reason.ts';
