import { type GalleryMail, optionalSlot, panel, picture, requiredSlot } from '../mail.ts'

export const backInStock: GalleryMail = {
  key: 'back-in-stock',
  purpose: 'back-in-stock',
  kind: 'marketing',
  slots: [
    picture,
    requiredSlot('product', 'name', ['Name of the product', 'Name des Produkts', 'Nom du produit']),
    optionalSlot('price', 'price', ['Price', 'Preis', 'Prix']),
    optionalSlot('product_url', 'url', [
      'Link to the product',
      'Link zum Produkt',
      'Lien vers le produit',
    ]),
    optionalSlot('variants', 'text', [
      'Sizes or colours',
      'Größen oder Farben',
      'Tailles ou coloris',
    ]),
    optionalSlot('limit', 'text', [
      'How many there are',
      'Wie viele es gibt',
      'Quantité disponible',
    ]),
  ],
  words: {
    en: {
      title: 'Back in stock',
      about: 'Tells those who waited that it can be had again.',
      subject: 'Back in stock: [[product]]',
      preview_text: 'Now available again.',
      blocks: [
        { type: 'heading', text: '[[product]], back in stock' },
        { type: 'text', text: '**[[price]]**' },
        { type: 'button', text: 'Get yours', url: '[[product_url]]' },
        { type: 'image_text', src: '[[image]]', decorative: true, text: '**[[product]]**' },
        { type: 'divider' },
        { type: 'list', items: ['[[variants]]'], ...panel },
        { type: 'list', items: ['[[limit]]'], ...panel },
        { type: 'divider' },
        {
          type: 'quote',
          text: 'The wait is over. Thank you for your patience, we hope it was worth it.',
        },
      ],
    },
    de: {
      title: 'Wieder da',
      about: 'Sagt allen, die gewartet haben, dass es den Artikel wieder gibt.',
      subject: 'Wieder da: [[product]]',
      preview_text: 'Ab sofort wieder erhältlich.',
      blocks: [
        { type: 'heading', text: 'Wieder da: [[product]]' },
        { type: 'text', text: '**[[price]]**' },
        { type: 'button', text: 'Jetzt sichern', url: '[[product_url]]' },
        { type: 'image_text', src: '[[image]]', decorative: true, text: '**[[product]]**' },
        { type: 'divider' },
        { type: 'list', items: ['[[variants]]'], ...panel },
        { type: 'list', items: ['[[limit]]'], ...panel },
        { type: 'divider' },
        {
          type: 'quote',
          text: 'Das Warten hat ein Ende. Danke für Ihre Geduld, wir hoffen, sie hat sich gelohnt.',
        },
      ],
    },
    fr: {
      title: 'De retour en stock',
      about: 'Prévient celles et ceux qui attendaient le produit.',
      subject: 'De retour : [[product]]',
      preview_text: 'À nouveau disponible.',
      blocks: [
        { type: 'heading', text: '[[product]] : le grand retour' },
        { type: 'text', text: '**[[price]]**' },
        { type: 'button', text: 'Je commande', url: '[[product_url]]' },
        { type: 'image_text', src: '[[image]]', decorative: true, text: '**[[product]]**' },
        { type: 'divider' },
        { type: 'list', items: ['[[variants]]'], ...panel },
        { type: 'list', items: ['[[limit]]'], ...panel },
        { type: 'divider' },
        {
          type: 'quote',
          text: 'Fini d’attendre. Merci pour votre patience, nous espérons qu’elle en valait la peine.',
        },
      ],
    },
  },
}
