/**
 * The text without the characters at its end that match `dropped`. A pattern such as `/ +$/` tries
 * again at each space of a run in the middle, which takes time quadratic in its length.
 */
export function withoutEnd(text: string, dropped: RegExp): string {
  let end = text.length
  while (end > 0 && dropped.test(text[end - 1] ?? '')) end--
  return text.slice(0, end)
}
