/** The beginning of a text with an ellipsis; a text of at most `limit` characters as it is. */
export function excerpt(text: string, limit: number): string {
  // A cut through a surrogate pair leaves half of it.
  return text.length > limit ? `${text.slice(0, limit).toWellFormed()}…` : text
}
