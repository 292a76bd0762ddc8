/** How strongly a link is coloured: by its clicks, compared with the link that has the most. */

/** From few clicks to most. A mail is shown light in either theme, and so are these. */
export const looks = [
  { ground: '#e0dffb', ink: '#312e81' },
  { ground: '#b3b0f7', ink: '#1e1b4b' },
  { ground: '#4f46e5', ink: '#ffffff' },
  { ground: '#2e1f8f', ink: '#ffffff' },
] as const

export const noClicks = { ground: '#ffffff', ink: '#55555f' } as const

export function lookOf(people: number, most: number) {
  if (people === 0) return noClicks
  return looks[Math.min(looks.length - 1, Math.floor((people / most) * looks.length))] ?? looks[0]
}
