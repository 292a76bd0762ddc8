/** The words of the editor of content, which load with it and not with the app. */
import { content as english } from './en/content.ts'
import { language } from './words.ts'

export let contentWords = english

export async function loadContentWords(): Promise<void> {
  if (language === 'de') contentWords = (await import('./de/content.ts')).content
}
