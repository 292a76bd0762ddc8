/** How a brand looks on pages and in mails, as the service decides it. */
import type { api } from '../api/client.ts'

/** As the server has them: `accounts/businesses/brand.ts`. */
export const fontStacks: Record<Awaited<ReturnType<typeof api.brand.get>>['font'], string> = {
  system: 'inherit',
  arial: 'Arial, Helvetica, sans-serif',
  verdana: 'Verdana, Geneva, sans-serif',
  trebuchet: "'Trebuchet MS', Helvetica, sans-serif",
  georgia: "Georgia, 'Times New Roman', serif",
  times: "'Times New Roman', Times, serif",
  courier: "'Courier New', Courier, monospace",
}

/** White where it can be read, else black, as the server decides it. */
export function wordsOn(colour: string): string {
  const part = (at: number) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  const light = 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
  return 1.05 / (light + 0.05) >= 4.5 ? '#ffffff' : '#000000'
}
