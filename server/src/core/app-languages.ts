/**
 * The languages of the app, of the service's own mails and pages for members, and of the galleries.
 * Each set of their texts is a record by language, so that one without a language does not compile.
 * The app's own list is `languageNames` in `web/src/words/texts.ts`; a test compares the two.
 */
export const appLanguages = ['en', 'de', 'fr'] as const

export type AppLanguage = (typeof appLanguages)[number]
