/** Finds faults that people make with every kind of TXT record, and reads tags. */

/** Finds a fault in the spelling, whatever the content is. */
export function writingFault(text: string): string | undefined {
  if (/["“”„]/.test(text)) {
    return 'Quotation marks have become part of the value. Enter it without any.'
  }
  if (text.includes('\\')) {
    return 'Backslashes have become part of the value. Enter it with plain semicolons.'
  }
  if (/^\s|\s$/.test(text)) return 'The value begins or ends with a space. Enter it without.'
  return undefined
}

/** Reads `v=DKIM1; k=rsa` by tag (RFC 6376, section 3.2). Undefined if it is no such list. */
export function readTags(text: string): Map<string, string> | undefined {
  const tags = new Map<string, string>()
  const parts = text.split(';')
  if (parts.at(-1)?.trim() === '') parts.pop()
  for (const part of parts) {
    const [, name, value] = /^\s*([a-z][a-z0-9_]*)\s*=(.*)$/is.exec(part) ?? []
    if (name === undefined || value === undefined || tags.has(name)) return undefined
    tags.set(name, value.trim())
  }
  return tags
}
