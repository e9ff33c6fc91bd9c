/** Of many inputs of the others a search looks at one alone, and the masses of each take long. */
import { onDemand, type OtherInput } from '@shuffle-dp/core';
import type { SetRegions } from '../typed-sets.ts';

/** The same inputs, whose masses are taken when they are first asked for. */
export function whenAsked(
  inputOf: (label: string, regions: SetRegions) => OtherInput,
): (label: string, regions: SetRegions) => OtherInput {
  return (label, regions) => {
    const input = onDemand(() => inputOf(label, regions));
    return {
      label,
      get victim0() {
        return input().victim0;
      },
      get victim1() {
        return input().victim1;
      },
      get own() {
        return input().own;
      },
      get hidden() {
        return input().hidden ?? 0;
      },
      get blanket() {
        return input().blanket;
      },
    };
  };
}
