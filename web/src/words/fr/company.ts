import type { company as english } from '../en/company.ts'

export const company: typeof english = {
  title: 'Connexion d’entreprise',
  about:
    'Vos collaborateurs se connectent avec les comptes de votre entreprise (Entra, Google Workspace, Okta, Keycloak). Les nouveaux deviennent membres selon leurs groupes.',
  setUp: 'Configurer',
  change: 'Modifier',
  remove: 'Supprimer',
  removeTitle: 'Supprimer la connexion d’entreprise ?',
  removeText:
    'Vos collaborateurs se connectent de nouveau par e-mail ou clé d’accès. Les membres le restent.',
  proven: 'Prouvé',
  unproven: 'Non prouvé',
  check: 'Vérifier',
  recordName: 'Nom de l’enregistrement TXT',
  recordValue: 'Sa valeur',
  outcomes: {
    proven: 'Le domaine est prouvé',
    missing: 'L’enregistrement est introuvable. Un nouveau peut prendre une heure.',
    unanswered: 'Le DNS n’a pas répondu. Réessayez dans une minute.',
    lost: 'Une autre entreprise a déjà prouvé ce domaine ici.',
  },
  formAbout:
    'OpenID Connect. Le guide « Company sign-in » donne les étapes pour votre fournisseur.',
  returnUrl: 'URI de redirection à déclarer chez le fournisseur',
  issuer: 'Émetteur (issuer)',
  issuerHint:
    'L’adresse par laquelle le fournisseur se nomme, par exemple https://accounts.google.com',
  clientId: 'Identifiant client',
  clientSecret: 'Secret client',
  secretStays: 'Laissez vide pour garder celui qui est enregistré.',
  name: 'Nom pour vos collaborateurs',
  domains: 'Vos domaines de messagerie',
  domainsHint: 'Un par ligne. Vous prouvez ensuite chacun par un enregistrement DNS.',
  groups: 'Rôles par groupe',
  groupsHint:
    'Un par ligne, par exemple : marketing = editor. Rôles : viewer, approver, editor, admin.',
  defaultRole: 'Rôle de tous les autres',
  noRole: 'Aucun : ils sont refusés',
  only: 'Connexion par l’entreprise seulement',
  onlyHint:
    'Les personnes de ces domaines ne peuvent plus utiliser l’e-mail ni d’autres clés d’accès. La clé avec laquelle vous confirmez reste valable si le fournisseur est en panne.',
  trusts: 'Faire confiance aux adresses du fournisseur',
  trustsHint:
    'Pour les fournisseurs qui n’envoient pas email_verified, comme Entra. Seulement si personne ne peut y choisir son adresse.',
}
