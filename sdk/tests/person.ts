/** The person and the browser of a sign-in, for tests. */

/** Opens the URL and follows every redirect, as a browser does; returns the last page. */
export async function browse(url: string): Promise<{ status: number; page: string }> {
  const response = await fetch(url)
  return { status: response.status, page: await response.text() }
}

/** An `open` for a sign-in, and the page that the browser ended on. */
export function browser(): {
  open: (url: string) => void
  opened: () => URL
  page: () => Promise<string>
} {
  let last: { url: string; page: Promise<{ page: string }> } | undefined
  const visit = (): NonNullable<typeof last> => {
    if (!last) throw new Error('the browser was not opened')
    return last
  }
  return {
    open: (url) => {
      last = { url, page: browse(url) }
    },
    opened: () => new URL(visit().url),
    page: async () => (await visit().page).page,
  }
}
