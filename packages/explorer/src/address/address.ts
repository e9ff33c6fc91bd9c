/**
 * What stands behind the # of the address: the page, and the fields of its state. A link is the whole state.
 */

export interface Address {
  /** 'account' */
  readonly page: string;
  /** As they are written: numbers in the shortest form that reads back the same. */
  readonly fields: Readonly<Record<string, string>>;
}

export function parseAddress(hash: string): Address {
  const [page = '', query = ''] = hash.replace(/^#\/?/u, '').split('?', 2);
  return { page: decoded(page), fields: Object.fromEntries(new URLSearchParams(query)) };
}

export function addressText({ page, fields }: Address): string {
  const query = Object.entries(fields)
    .map(([name, value]) => `${encodeURIComponent(name)}=${readable(value)}`)
    .join('&');
  return `#${encodeURIComponent(page)}${query === '' ? '' : `?${query}`}`;
}

/** Commas, slashes and colons stay as they are, for people who read links. */
function readable(value: string): string {
  return encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%2F', '/').replaceAll('%3A', ':');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
