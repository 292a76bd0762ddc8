/** A text that was made from HTML has the address of a link in square brackets. */
export function linksIn(text: string): string[] {
  return [...text.matchAll(/https?:\/\/[^\s<>"]+/g)].map(({ 0: link, index }) => {
    const end = text[index - 1] === '[' ? link.lastIndexOf(']') : -1
    return end === -1 ? link : link.slice(0, end)
  })
}
