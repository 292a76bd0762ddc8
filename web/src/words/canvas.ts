import { canvas as english } from './en/canvas.ts'
import { texts } from './texts.ts'

export const canvasWords = texts(english, {
  de: async () => (await import('./de/canvas.ts')).canvas,
  fr: async () => (await import('./fr/canvas.ts')).canvas,
})
