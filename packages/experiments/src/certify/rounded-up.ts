/** A positive number with six digits that is not smaller. */
export function roundedUp(value: number): number {
  const near = Number(value.toPrecision(6));
  if (near >= value) return near;
  const step = 10 ** (Math.floor(Math.log10(value)) - 5);
  return Number((value + step / 2).toPrecision(6));
}
