/**
 * Decides which pages may call the tool endpoint from a browser. A foreign page that reaches a
 * server on loopback by DNS rebinding still sends its own Origin.
 */
export function createOriginRule(urls: readonly string[]): (origin: string) => boolean {
  const own = new Set(urls.map((url) => new URL(url).origin))
  const local = urls.every((url) => isLoopback(new URL(url).hostname))
  return (origin) => {
    if (own.has(origin)) return true
    const url = URL.parse(origin)
    return local && url !== null && isLoopback(url.hostname)
  }
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
}
