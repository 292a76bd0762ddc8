import type { brandPart as english } from '../en/brand-part.ts'

export const brandPart: typeof english = {
  header: 'En-tête de votre identité visuelle : à modifier dans ses paramètres',
  footer: 'Pied de page de votre identité visuelle : à modifier dans ses paramètres',
  colour: (name) => `Couleur ${name}`,
}
