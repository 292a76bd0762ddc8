import type { furtherBlocks as english } from '../en/further-blocks.ts'

export const furtherBlocks: typeof english = {
  src: 'Adresse de l’image',
  srcHint: 'Remplie lors d’un envoi d’image, ou une adresse à vous.',
  alt: 'Ce qu’elle montre',
  altHint: 'Lu à voix haute aux personnes qui ne la voient pas, et affiché sans les images.',
  decorative: 'Image purement décorative',
  width: 'Largeur en pixels',
  background: 'Arrière-plan',
  padding: 'Espace au-dessus et en dessous',
  paddings: { '': 'Habituel', small: 'Petit', medium: 'Moyen', large: 'Grand' },
  name: 'Nom',
  price: 'Prix',
  quantity: 'Quantité',
  buttonText: 'Texte du bouton',
  buttonHint: 'Laissé vide, il n’y a pas de bouton. Il mène là où mène l’image.',
  each: 'Répéter pour chaque entrée de',
  eachHint:
    'Une liste d’un événement, par exemple event.items. Dans le bloc, une entrée est {{ item.name }}, {{ item.price }}, etc.',
  code: 'Code',
  legal: 'Votre nom, votre adresse postale et le lien de désinscription figurent ici.',
  codeText: 'Texte au-dessus du code',
  side: 'Côté de l’image',
  sides: { '': 'Au début du texte', left: 'À gauche', right: 'À droite' },
  linksHint: 'Les réseaux sans adresse ne sont pas affichés.',
  row: (n) => `Ligne ${n}`,
  total: (n) => `Total ${n}`,
  addRow: 'Ajouter une ligne',
  addTotal: 'Ajouter un total',
  shown: {
    title: 'Afficher seulement à',
    all: 'Tout le monde voit ce bloc.',
    choose: 'Choisir qui le voit',
    change: 'Modifier',
    toAll: 'Afficher à tout le monde',
    dialog: 'Afficher ce bloc seulement à…',
    about:
      'Les autres reçoivent l’e-mail sans ce bloc. Le choix se fait pour chaque destinataire au moment de l’envoi.',
    take: 'Afficher seulement à ces personnes',
    cancel: 'Annuler',
  },
  feed: {
    buttonHint: 'Laissez vide pour ne pas avoir de bouton. Il mène à l’article.',
    shows: {
      pictures: 'Afficher les images',
      texts: 'Afficher le début du texte',
      dates: 'Afficher l’auteur et la date',
    },
    items: [
      {
        title: 'Titre du dernier article',
        about: 'Ana · 30 novembre',
        text: 'Le début de son texte, tel qu’il est dans le flux.',
      },
      {
        title: 'Titre de l’article précédent',
        about: 'Leo · 24 novembre',
        text: 'Les lecteurs voient ce qui est nouveau depuis leur dernier e-mail.',
      },
    ],
  },
  removeEntry: (name) => `Supprimer ${name}`,
}
