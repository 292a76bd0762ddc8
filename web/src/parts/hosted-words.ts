/** What Crier writes on forms that visitors see: in the language of the business, not in that of the app. */

/** The words of each language of recipients; a test compares the first two with those of the service. */
export const hostedWords = {
  ar: {
    required: 'مطلوب',
    submit: 'إرسال',
    title: 'النشرة البريدية',
    email: 'البريد الإلكتروني',
    subscribe: 'اشتراك',
  },
  de: {
    required: 'erforderlich',
    submit: 'Absenden',
    title: 'Newsletter',
    email: 'E-Mail',
    subscribe: 'Anmelden',
  },
  en: {
    required: 'required',
    submit: 'Send',
    title: 'Newsletter',
    email: 'Email',
    subscribe: 'Subscribe',
  },
  es: {
    required: 'obligatorio',
    submit: 'Enviar',
    title: 'Boletín',
    email: 'Correo electrónico',
    subscribe: 'Suscribirse',
  },
  fr: {
    required: 'obligatoire',
    submit: 'Envoyer',
    title: 'Newsletter',
    email: 'E-mail',
    subscribe: 'S’inscrire',
  },
  it: {
    required: 'obbligatorio',
    submit: 'Invia',
    title: 'Newsletter',
    email: 'Email',
    subscribe: 'Iscriviti',
  },
  ja: {
    required: '必須',
    submit: '送信',
    title: 'ニュースレター',
    email: 'メールアドレス',
    subscribe: '登録する',
  },
  nl: {
    required: 'verplicht',
    submit: 'Versturen',
    title: 'Nieuwsbrief',
    email: 'E-mail',
    subscribe: 'Aanmelden',
  },
  pl: {
    required: 'wymagane',
    submit: 'Wyślij',
    title: 'Newsletter',
    email: 'E-mail',
    subscribe: 'Zapisz się',
  },
  pt: {
    required: 'obrigatório',
    submit: 'Enviar',
    title: 'Newsletter',
    email: 'Email',
    subscribe: 'Subscrever',
  },
} as const

/** Those of a tag such as `de-AT`; English where there are none. */
export function hostedWordsIn(tag: string) {
  const language = tag.split('-', 1)[0] ?? ''
  return Object.hasOwn(hostedWords, language)
    ? hostedWords[language as keyof typeof hostedWords]
    : hostedWords.en
}
