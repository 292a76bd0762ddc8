/**
 * The one mechanism for the app's texts. English comes with the code that shows it. Each other
 * language is a chunk of its own for each part of the app, which `loadTexts` fetches: the routes and
 * the parts that are loaded later await it before they render.
 */
export const languageNames = { en: 'English', de: 'Deutsch', fr: 'Français' }

export type Language = keyof typeof languageNames

const key = 'crier-language'

/** It is chosen once for the life of the page. Tests run the app's code without a page. */
export const language: Language = typeof document === 'undefined' ? 'en' : chosenLanguage()

function chosenLanguage(): Language {
  const chosen = localStorage.getItem(key) ?? languageInCookie()
  const preferred = navigator.language.slice(0, 2).toLowerCase()
  return [chosen, preferred].find(isLanguage) ?? 'en'
}

function isLanguage(code: string | null | undefined): code is Language {
  return Object.hasOwn(languageNames, code ?? '')
}

function languageInCookie(): string | undefined {
  const entries = document.cookie.split('; ').map((entry) => entry.split('='))
  return entries.find(([name]) => name === key)?.[1]
}

/** Redraws everything with the new texts. */
export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(key, chosen)
  // For the pages and the mail of the next sign-in, by which signing out has cleared the storage.
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API exists on https alone.
  document.cookie = `${key}=${chosen}; path=/; max-age=31536000; samesite=lax`
  location.reload()
}

const missing = new Map<object, () => Promise<object>>()

/**
 * The texts of one part of the app. They are read when something is rendered, never while a module is
 * loaded: until `loadTexts` has run, they are the English ones.
 */
export function texts<Texts extends object>(
  english: Texts,
  others: Record<Exclude<Language, 'en'>, () => Promise<NoInfer<Texts>>>,
): Texts {
  if (language === 'en') return english
  const current = { ...english }
  missing.set(current, others[language])
  return current
}

/** Fetches, in the reader's language, the texts of all the code that has been loaded. */
export async function loadTexts(): Promise<void> {
  const load = async ([current, fetchTexts]: [object, () => Promise<object>]) => {
    Object.assign(current, await fetchTexts())
    missing.delete(current)
  }
  await Promise.all([...missing].map(load))
}

/** Loads code together with its texts. */
export const withTexts =
  <Module>(load: () => Promise<Module>) =>
  async (): Promise<Module> => {
    const module = await load()
    await loadTexts()
    return module
  }
