/** Names of the large mailbox providers; every other provider is called by its domain. */
const names: Readonly<Record<string, string>> = {
  gmail: 'Gmail',
  microsoft: 'Microsoft',
  yahoo: 'Yahoo',
  apple: 'Apple',
}

/** Undefined for the others that are counted together. */
export function providerName(provider: string | null): string | undefined {
  return provider === null ? undefined : (names[provider] ?? provider)
}
