import { discountCode, type GalleryMail, instagram, optionalSlot, sender } from '../mail.ts'

export const welcome1: GalleryMail = {
  key: 'welcome-1',
  purpose: 'welcome',
  kind: 'marketing',
  slots: [
    optionalSlot('site_url', 'url', [
      'Link to your site',
      'Link zu Ihrer Website',
      'Lien vers votre site',
    ]),
    optionalSlot('about_us', 'text', [
      'What you do, in a sentence',
      'Was Sie machen, in einem Satz',
      'Votre activité en une phrase',
    ]),
    optionalSlot('gift', 'text', [
      'A gift for the start',
      'Ein Geschenk zum Start',
      'Un cadeau de bienvenue',
    ]),
    discountCode(false),
    sender,
    instagram,
  ],
  words: {
    en: {
      title: 'Welcome, first email',
      about: 'A warm hello straight after somebody signed up.',
      subject: 'Welcome to {{ business.name }}',
      preview_text: 'Good to have you here.',
      blocks: [
        { type: 'heading', text: 'Hello {{ contact.first_name | default: "and welcome" }}!' },
        {
          type: 'text',
          text: 'Thank you for signing up at **{{ business.name }}**. From now on you’ll get our news here: no noise, just what we’d tell a friend.',
        },
        { type: 'text', text: '[[about_us]]' },
        { type: 'button', text: 'Have a look around', url: '[[site_url]]' },
        { type: 'divider' },
        { type: 'text', text: '**To get you started:** [[gift]]' },
        { type: 'code', text: 'A little something from us', code: '[[code]]' },
        { type: 'text', text: 'Anything you’d like to know? Just hit reply, we read every mail.' },
        { type: 'text', text: 'Warmly,\n[[sender]]' },
        { type: 'social', links: [{ network: 'instagram', url: '[[instagram_url]]' }] },
      ],
    },
    de: {
      title: 'Willkommen, erste Mail',
      about: 'Eine herzliche Begrüßung gleich nach der Anmeldung.',
      subject: 'Willkommen bei {{ business.name }}',
      preview_text: 'Schön, dass Sie da sind.',
      blocks: [
        { type: 'heading', text: 'Schön, dass Sie da sind!' },
        {
          type: 'text',
          text: 'Herzlichen Dank für Ihre Anmeldung bei **{{ business.name }}**. Ab jetzt erfahren Sie hier, was es bei uns Neues gibt. Wir schreiben nur, wenn wir wirklich etwas zu erzählen haben.',
        },
        { type: 'text', text: '[[about_us]]' },
        { type: 'button', text: 'Umschauen', url: '[[site_url]]' },
        { type: 'divider' },
        { type: 'text', text: '**Zum Einstand:** [[gift]]' },
        { type: 'code', text: 'Ihr Code zum Kennenlernen', code: '[[code]]' },
        { type: 'text', text: 'Sie möchten etwas wissen? Antworten Sie einfach auf diese E-Mail.' },
        { type: 'text', text: 'Herzliche Grüße\n[[sender]]' },
        { type: 'social', links: [{ network: 'instagram', url: '[[instagram_url]]' }] },
      ],
    },
    fr: {
      title: 'Bienvenue, premier message',
      about: 'Un accueil chaleureux juste après l’inscription.',
      subject: 'Bienvenue chez {{ business.name }}',
      preview_text: 'Ravis de faire votre connaissance.',
      blocks: [
        { type: 'heading', text: 'Bienvenue {{ contact.first_name | default: "parmi nous" }} !' },
        {
          type: 'text',
          text: 'Merci pour votre inscription chez **{{ business.name }}**. Vous recevrez ici nos nouvelles, et seulement quand elles en valent la peine.',
        },
        { type: 'text', text: '[[about_us]]' },
        { type: 'button', text: 'Visiter notre site', url: '[[site_url]]' },
        { type: 'divider' },
        { type: 'text', text: '**Pour commencer :** [[gift]]' },
        { type: 'code', text: 'Un petit geste de bienvenue', code: '[[code]]' },
        { type: 'text', text: 'Une question, une envie ? Répondez simplement à ce message.' },
        { type: 'text', text: 'À bientôt,\n[[sender]]' },
        { type: 'social', links: [{ network: 'instagram', url: '[[instagram_url]]' }] },
      ],
    },
  },
}
