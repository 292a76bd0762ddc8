/**
 * A text without the characters at its end that `dropped` takes. A pattern such as `/ +$/` tries
 * again at each space of a run that something follows, which takes the square of its length.
 */
export function withoutEnd(text: string, dropped: RegExp): string {
  let end = text.length
  while (end > 0 && dropped.test(text[end - 1] ?? '')) end--
  return text.slice(0, end)
}
