/** The page a person sees when the browser has come back: a heading and a sentence. */
export function closingPage(heading: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(heading)}</title>
<style>
  :root { color-scheme: light dark }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 28rem; margin: 20vh auto; padding: 0 1rem }
  h1 { font-size: 1.25rem }
</style>
<h1>${escaped(heading)}</h1>
<p>${escaped(text)}</p>
</html>
`
}

// The sentence may quote the server, whose text may come from a stranger, so it is escaped.
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
