/** No certificate can be made: the blanket proves nothing there, or rechecking it would take too long. */
export class NoCertificateError extends Error {
  override readonly name = 'NoCertificateError';
  readonly code = 'out-of-regime';
}
