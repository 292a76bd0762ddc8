import { type GalleryMail, optionalSlot, requiredSlot, sender } from '../mail.ts'

export const review: GalleryMail = {
  key: 'review',
  purpose: 'review',
  kind: 'marketing',
  slots: [
    optionalSlot('purchase', 'text', [
      'What they bought',
      'Was gekauft wurde',
      'Ce qui a été acheté',
    ]),
    requiredSlot('review_url', 'url', [
      'Link to the review',
      'Link zur Bewertung',
      'Lien pour donner son avis',
    ]),
    optionalSlot('duration', 'text', [
      'How long it takes',
      'Wie lange es dauert',
      'Durée nécessaire',
    ]),
    optionalSlot('phone', 'phone', [
      'Phone for complaints',
      'Telefon für Kritik',
      'Téléphone en cas de souci',
    ]),
    optionalSlot('email', 'email', [
      'Email for complaints',
      'E-Mail für Kritik',
      'E-mail en cas de souci',
    ]),
    sender,
  ],
  words: {
    en: {
      title: 'Review request',
      about: 'Asks customers for an honest opinion.',
      subject: 'How did we do?',
      preview_text: 'Your honest opinion helps us, and others.',
      blocks: [
        {
          type: 'text',
          text: 'Hi {{ contact.first_name | default: "there" }},\n\nThank you for choosing us. Would you tell others what it was like?',
        },
        { type: 'button', text: 'Write a review', url: '[[review_url]]' },
        { type: 'list', items: ['How long it takes: [[duration]]'] },
        {
          type: 'quote',
          text: 'Good or bad, we’re grateful for plain words: they show the next customer what to expect, and us what to improve.',
        },
        { type: 'text', text: 'It’s about: [[purchase]]' },
        {
          type: 'text',
          text: 'Not sure where to begin? What did you like, what could have gone better, and who would you recommend us to?',
        },
        { type: 'list', items: ['Something went wrong? Please call us: [[phone]].'] },
        { type: 'list', items: ['If you’d rather tell us privately: [[email]].'] },
        { type: 'text', text: 'Thanks either way,\n[[sender]]' },
      ],
    },
    de: {
      title: 'Bitte um Bewertung',
      about: 'Fragt Kundinnen und Kunden nach ihrer ehrlichen Meinung.',
      subject: 'Wie zufrieden sind Sie mit uns?',
      preview_text: 'Ihre ehrliche Meinung hilft uns weiter.',
      blocks: [
        {
          type: 'text',
          text: 'Guten Tag,\n\nSie haben sich für uns entschieden, vielen Dank dafür! Verraten Sie anderen, wie es war?',
        },
        { type: 'button', text: 'Bewertung schreiben', url: '[[review_url]]' },
        { type: 'list', items: ['So lange dauert es: [[duration]]'] },
        {
          type: 'quote',
          text: 'Lob freut uns, Kritik bringt uns weiter. Schreiben Sie also ruhig, wie Sie es wirklich erlebt haben.',
        },
        { type: 'text', text: 'Es geht um: [[purchase]]' },
        {
          type: 'text',
          text: 'Ein paar Anregungen: Was hat Ihnen gefallen, was hätte besser laufen können, und wem würden Sie uns empfehlen?',
        },
        { type: 'list', items: ['Etwas lief schief? Dann rufen Sie uns bitte an: [[phone]].'] },
        { type: 'list', items: ['Lieber unter vier Augen? Sie erreichen uns unter [[email]].'] },
        { type: 'text', text: 'Danke, dass Sie sich die Zeit nehmen\n[[sender]]' },
      ],
    },
    fr: {
      title: 'Demande d’avis',
      about: 'Demande aux clients leur avis sincère.',
      subject: 'Votre avis nous intéresse',
      preview_text: 'Quelques mots suffisent.',
      blocks: [
        {
          type: 'text',
          text: 'Bonjour {{ contact.first_name | default: "à vous" }},\n\nMerci de nous avoir fait confiance. Accepteriez-vous de partager votre expérience ?',
        },
        { type: 'button', text: 'Donner mon avis', url: '[[review_url]]' },
        { type: 'list', items: ['Temps nécessaire : [[duration]]'] },
        {
          type: 'quote',
          text: 'Tous les avis sont les bienvenus, même les réservés : ils éclairent les prochains clients et nous aident à progresser.',
        },
        { type: 'text', text: 'Il s’agit de : [[purchase]]' },
        {
          type: 'text',
          text: 'Pour vous guider : ce qui vous a plu, ce que nous aurions pu mieux faire, et à qui vous nous recommanderiez.',
        },
        { type: 'list', items: ['Quelque chose vous a déplu ? Appelez-nous : [[phone]].'] },
        { type: 'list', items: ['Vous préférez nous le dire directement ? [[email]]'] },
        { type: 'text', text: 'Et merci, quoi qu’il en soit.\n[[sender]]' },
      ],
    },
  },
}
