import { type GalleryMail, instagram, optionalSlot, panel, picture, requiredSlot } from '../mail.ts'

export const cart: GalleryMail = {
  key: 'cart',
  purpose: 'cart',
  kind: 'marketing',
  slots: [
    requiredSlot('cart_url', 'url', [
      'Link to the cart',
      'Link zum Warenkorb',
      'Lien vers le panier',
    ]),
    optionalSlot('reserved', 'text', [
      'How long it is reserved',
      'Wie lange reserviert ist',
      'Durée de réservation',
    ]),
    optionalSlot('free_from', 'price', [
      'Free delivery from',
      'Versandkostenfrei ab',
      'Livraison offerte dès',
    ]),
    optionalSlot('payment', 'text', ['Ways to pay', 'Zahlungsarten', 'Moyens de paiement']),
    instagram,
    picture,
  ],
  words: {
    en: {
      title: 'Abandoned cart',
      about: 'Reminds of what was left in the basket.',
      subject: 'You left something in your basket',
      preview_text: 'It’s still there.',
      blocks: [
        { type: 'heading', text: 'Still thinking it over?' },
        { type: 'image', src: '[[image]]', decorative: true },
        { type: 'button', text: 'Back to my basket', url: '[[cart_url]]' },
        {
          type: 'text',
          text: 'Your basket is just as you left it, in case something came up. One click and you can carry on.',
        },
        { type: 'spacer', height: 8 },
        { type: 'list', items: ['We hold it for you: [[reserved]]'], ...panel },
        { type: 'list', items: ['Free delivery from [[free_from]]'], ...panel },
        { type: 'list', items: ['You can pay by [[payment]]'], ...panel },
        { type: 'spacer', height: 16 },
        { type: 'social', links: [{ network: 'instagram', url: '[[instagram_url]]' }] },
      ],
    },
    de: {
      title: 'Warenkorb',
      about: 'Erinnert an das, was im Warenkorb geblieben ist.',
      subject: 'Ihr Warenkorb wartet noch',
      preview_text: 'Noch ist alles da.',
      blocks: [
        { type: 'heading', text: 'Haben Sie etwas vergessen?' },
        { type: 'image', src: '[[image]]', decorative: true },
        { type: 'button', text: 'Zum Warenkorb', url: '[[cart_url]]' },
        {
          type: 'text',
          text: 'Vielleicht kam etwas dazwischen. Ihre Auswahl haben wir für Sie aufgehoben, Sie können die Bestellung jederzeit abschließen.',
        },
        { type: 'spacer', height: 8 },
        { type: 'list', items: ['Für Sie reserviert: [[reserved]]'], ...panel },
        { type: 'list', items: ['Versandkostenfrei ab [[free_from]]'], ...panel },
        { type: 'list', items: ['Zahlung: [[payment]]'], ...panel },
        { type: 'spacer', height: 16 },
        { type: 'social', links: [{ network: 'instagram', url: '[[instagram_url]]' }] },
      ],
    },
    fr: {
      title: 'Panier abandonné',
      about: 'Rappelle ce qui est resté dans le panier.',
      subject: 'Votre panier vous attend',
      preview_text: 'Rien n’a bougé.',
      blocks: [
        { type: 'heading', text: 'Un oubli, une hésitation ?' },
        { type: 'image', src: '[[image]]', decorative: true },
        { type: 'button', text: 'Retrouver mon panier', url: '[[cart_url]]' },
        {
          type: 'text',
          text: 'Vous étiez à deux doigts de commander. Votre sélection est toujours là : il ne reste qu’à la valider.',
        },
        { type: 'spacer', height: 8 },
        { type: 'list', items: ['Réservé pour vous : [[reserved]]'], ...panel },
        { type: 'list', items: ['Livraison offerte dès [[free_from]]'], ...panel },
        { type: 'list', items: ['Paiement : [[payment]]'], ...panel },
        { type: 'spacer', height: 16 },
        { type: 'social', links: [{ network: 'instagram', url: '[[instagram_url]]' }] },
      ],
    },
  },
}
