/** The words of the canvas on which a mail is written. */
import { canvas as english } from './en/canvas.ts'
import { language } from './words.ts'

export let canvasWords = english

export async function loadCanvasWords(): Promise<void> {
  if (language === 'de') canvasWords = (await import('./de/canvas.ts')).canvas
}
