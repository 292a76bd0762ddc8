/** The beginning of a text, with a sign that it goes on; a text no longer than `most` as it is. */
export function excerpt(text: string, most: number): string {
  // A cut through a surrogate pair leaves half of it.
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text
}
