import { type GalleryMail, optionalSlot, requiredSlot, sender } from '../mail.ts'

export const receipt: GalleryMail = {
  key: 'receipt',
  purpose: 'receipt',
  kind: 'transactional',
  slots: [
    requiredSlot('purchase', 'name', [
      'What was bought',
      'Was gekauft wurde',
      'Ce qui a été acheté',
    ]),
    optionalSlot('item', 'text', ['Item', 'Artikel', 'Article']),
    optionalSlot('total', 'price', ['Total', 'Summe', 'Total']),
    optionalSlot('order_url', 'url', [
      'Link to the order',
      'Link zur Bestellung',
      'Lien vers la commande',
    ]),
    optionalSlot('delivery', 'text', ['When it comes', 'Wann es kommt', 'Délai de livraison']),
    optionalSlot('returns', 'text', [
      'Returns or cancellation',
      'Rückgabe oder Storno',
      'Retour ou annulation',
    ]),
    optionalSlot('bring', 'text', [
      'What to bring',
      'Was mitzubringen ist',
      'Ce qu’il faut apporter',
    ]),
    optionalSlot('email', 'email', [
      'Email for questions',
      'E-Mail für Fragen',
      'E-mail de contact',
    ]),
    sender,
  ],
  words: {
    en: {
      title: 'Order confirmation',
      about: 'Thanks for an order or a payment, and says what happens next.',
      subject: 'Thank you for your order',
      preview_text: 'We’ve got it. Here’s what happens next.',
      blocks: [
        { type: 'heading', text: 'Thank you for your order' },
        {
          type: 'receipt',
          rows: [{ name: '[[item]]', price: '[[total]]' }],
          totals: [{ name: 'Total', price: '[[total]]' }],
        },
        {
          type: 'text',
          text: 'Your order has reached us: **[[purchase]]**. Please keep this email for your records.',
        },
        { type: 'button', text: 'View my order', url: '[[order_url]]' },
        { type: 'heading', level: 2, text: 'What happens next: [[delivery]]' },
        { type: 'list', items: ['To bring along: [[bring]]'] },
        { type: 'list', items: ['Changed your mind: [[returns]]'] },
        { type: 'list', items: ['Questions: [[email]]'] },
        { type: 'spacer', height: 16 },
        { type: 'text', text: 'Thank you for your trust.' },
        { type: 'text', text: '[[sender]]' },
      ],
    },
    de: {
      title: 'Bestellbestätigung',
      about: 'Dankt für eine Bestellung oder Zahlung und sagt, wie es weitergeht.',
      subject: 'Danke für Ihre Bestellung',
      preview_text: 'Alles ist bei uns angekommen. So geht es weiter.',
      blocks: [
        { type: 'heading', text: 'Vielen Dank, Ihre Bestellung ist da' },
        {
          type: 'receipt',
          rows: [{ name: '[[item]]', price: '[[total]]' }],
          totals: [{ name: 'Summe', price: '[[total]]' }],
        },
        {
          type: 'text',
          text: 'Ihre Bestellung ist bei uns eingegangen: **[[purchase]]**. Bitte bewahren Sie diese E-Mail auf.',
        },
        { type: 'button', text: 'Bestellung ansehen', url: '[[order_url]]' },
        { type: 'heading', level: 2, text: 'Wie es weitergeht: [[delivery]]' },
        { type: 'list', items: ['Bitte mitbringen: [[bring]]'] },
        { type: 'list', items: ['Rückgabe oder Storno: [[returns]]'] },
        { type: 'list', items: ['Fragen: [[email]]'] },
        { type: 'spacer', height: 16 },
        { type: 'text', text: 'Vielen Dank für Ihr Vertrauen.' },
        { type: 'text', text: '[[sender]]' },
      ],
    },
    fr: {
      title: 'Confirmation de commande',
      about: 'Remercie d’une commande ou d’un paiement et annonce la suite.',
      subject: 'Merci pour votre commande',
      preview_text: 'Nous avons tout reçu. Voici la suite.',
      blocks: [
        { type: 'heading', text: 'Merci, c’est confirmé' },
        {
          type: 'receipt',
          rows: [{ name: '[[item]]', price: '[[total]]' }],
          totals: [{ name: 'Total', price: '[[total]]' }],
        },
        {
          type: 'text',
          text: 'Nous avons bien reçu votre commande : **[[purchase]]**. Gardez ce message, il vaut confirmation.',
        },
        { type: 'button', text: 'Voir ma commande', url: '[[order_url]]' },
        { type: 'heading', level: 2, text: 'Et maintenant : [[delivery]]' },
        { type: 'list', items: ['À apporter : [[bring]]'] },
        { type: 'list', items: ['Retour ou annulation : [[returns]]'] },
        { type: 'list', items: ['Vos questions : [[email]]'] },
        { type: 'spacer', height: 16 },
        { type: 'text', text: 'Merci de votre confiance.' },
        { type: 'text', text: '[[sender]]' },
      ],
    },
  },
}
