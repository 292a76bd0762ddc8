import type { abTests as english } from '../en/ab-tests.ts'

export const abTests: typeof english = {
  title: 'Test A/B',
  about:
    'Chaque objet est envoyé à une part des destinataires. Les autres attendent et reçoivent celui qui obtient les meilleurs résultats.',
  aboutSms:
    'Chaque texte est envoyé à une part des destinataires. Les autres attendent et reçoivent celui qui obtient les meilleurs résultats.',
  start: 'Tester un autre objet',
  startSms: 'Tester un autre texte',
  another: 'En ajouter un autre',
  subject: (letter) => `Objet ${letter}`,
  text: (letter) => `Texte ${letter}`,
  drop: (letter) => `Supprimer ${letter}`,
  sample: 'Part des destinataires, en pour cent',
  by: 'Critère de victoire',
  byWays: { clicks: 'Clics par des personnes', opens: 'Ouvertures par des personnes' },
  hours: 'Désigner le gagnant après, en heures',
  usual: 'Taux habituel, en pour cent',
  usualHint:
    'Le taux d’ouverture ou de clic que vous observez d’habitude. Il ne sert qu’à l’estimation ci-dessous.',
  needs: (people, usual, better) =>
    `Pour distinguer ${usual} de ${better} de façon statistiquement significative, chaque variante a besoin de ${people} personnes.`,
  has: (people) => `Chaque variante en reçoit ${people}.`,
  enough: 'C’est suffisant.',
  tooFew:
    'C’est trop peu : sans doute aucune variante ne gagnera de façon significative, et les autres destinataires recevront celle qui est en tête.',
  save: 'Enregistrer le test',
  end: 'Terminer le test',
  saved: 'Test enregistré',
  ended: 'Test terminé',
  unsaved: 'Modifications non enregistrées.',
  variant: 'Variante',
  sent: 'Envoyés',
  acted: { clicks: 'Clics', opens: 'Ouvertures' },
  between: (low, high) => `entre ${low} et ${high}`,
  points: (low, high) => `${low} à ${high} points de pourcentage`,
  won: (letter) => `La variante ${letter} a gagné.`,
  chosen: (letter) => `La variante ${letter} a été choisie manuellement.`,
  tooEarly: (people: string) =>
    `Trop tôt pour désigner une variante en tête : il faut ${people} messages envoyés par variante.`,
  leadIsReal: (letter, lead) =>
    `La variante ${letter} est en tête de façon statistiquement significative, de ${lead} (confiance de 95 %).`,
  leadIsChance: (letter, lead) =>
    `Aucune variante n’est en tête de façon statistiquement significative. ${letter} devance de ${lead} (confiance de 95 %), un intervalle qui comprend l’absence de différence.`,
  othersGot: (letter) => `Les autres destinataires reçoivent la variante ${letter}.`,
  decidesIn: (time) => `Le gagnant est désigné ${time}.`,
  choose: (letter) => `Envoyer ${letter} aux autres`,
  chooseTitle: (letter) => `Envoyer la variante ${letter} aux autres maintenant ?`,
  chooseText: 'Le test se termine, et toutes les personnes en attente reçoivent cette variante.',
}
