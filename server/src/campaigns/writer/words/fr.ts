import type { BriefWords } from './brief-words.ts'

export const french: BriefWords = {
  common:
    'le, la, les, des, du, de, et, à, au, aux, pour, nous, notre, nos, un, une, en, avec, sur, dans, est, sont, qui, que, par, pas, ne, dès, avant, jusqu, chez, ceux, ce, cette, on, il, ils, vous, votre, tu, se, sa, son, samedi, lundi, mardi, mercredi, jeudi, vendredi, dimanche, janvier, février, décembre, gratuit, merci, mail, quand, pourquoi, stp, svp',
  goals: {
    newsletter: [
      'newsletter, infolettre, la lettre de, lettre d information, lettre mensuelle, bulletin, gazette, lettre aux clients, les nouvelles de',
      'recette, au sommaire, numéro, clients privés, aussi ce mois, actualités, caves ouvertes',
    ],
    announcement: [
      'annoncer, annonce*, prévenir que, informer que, informer, fermeture, coupure, déménage*, nouvelle adresse, nouveaux horaires, nouvel horaire, horaires, change de nom, changement, hausse des prix, augmentation des prix, travaux, panne, sera fermé, serons fermés, congés, maintenance',
      'devient, fermé, fermée, on ferme, réouverture, désormais, provisoire',
    ],
    sale: [
      'soldes, solde, vente privée, promotion*, promo, remise*, réduction*, déstockage, ventes privées, black friday, rabais, braderie, liquidation, bons plans, offre spéciale, prix cassés',
      'code, offre, fins de série, en ligne, bon de réduction',
    ],
    event: [
      'invit, invitation, inviter, invite, invitons, vernissage, concert*, spectacle*, portes ouvertes, loto, fête, soirée, kermesse, assemblée générale, atelier découverte, dégustation, exposition, conférence, vide grenier, marché de, projection, tournoi, rencontre, inauguration, apéro, bal, gala, pot',
      'entrée libre, salle, buffet, places, billets, inscription, artiste, visite, venez, repas',
    ],
    welcome: [
      'bienvenue, mail d accueil, accueil des nouveaux, nouveaux inscrits, nouveaux clients, nouveaux adhérents, nouveaux abonnés, ceux qui s inscrivent, accueillir',
      'première commande, accueil, inscrits',
    ],
    birthday: ['anniversaire*', 'offert, fêter, cadeau'],
    'win-back': [
      'viennent plus, vient plus, ne viennent plus, pas revenus, reviennent pas, pas commandé depuis, plus commandé, plus réservé, relancer les anciens, clients inactifs, inactifs, vous nous manquez, tu nous manques, nous manquent, reconquérir, reconquête, depuis un an, pas vus depuis, pas venus depuis, plus vus, revenir',
      'anciens clients, place offerte, retour, revenez, depuis longtemps',
    ],
    review: [
      'avis, un avis, votre avis, noter, témoignage*, commentaire sur',
      'étoiles, ceux qui ont dormi, ceux qui ont acheté, quoi qu il arrive, minute',
    ],
    'back-in-stock': [
      'est revenue, est revenu, sont revenus, sont revenues, de retour, en stock, de nouveau disponible, à nouveau disponible, à nouveau en stock, réassort*, réapprovisionn*, est de retour',
      'coloris, pièces, tailles, rupture, pas plus',
    ],
    cart: [
      'panier abandonné, paniers abandonnés, panier oublié, relance panier, dans leur panier, dans son panier, panier',
      'gardé, paiement en, commande non',
    ],
    receipt: [
      'confirmation après paiement, confirmation de commande, confirmation de réservation, confirmation de paiement, reçu, après paiement, après l achat, après leur achat, merci pour votre commande, commande confirmée, après avoir payé',
      'place réservée, annulation remboursée, confirmation, remboursé, remboursée, rétractation',
    ],
    shipping: [
      'colis, livraison en retard, retard de livraison, expédié, expédiée, expédition, ont du retard, suivi de, suivi sur, livraisons retardées, en route, retardée',
      'retard, livraison, grève, désolées, désolés, suivi, transporteur',
    ],
    'password-reset': ['mot de passe, mots de passe', 'réinitialis*, connexion'],
    appointment: [
      'rappel rdv, rappel de rendez vous, rappel rendez vous, rappel du rendez vous, rappel de rdv, rdv, rendez vous, votre rendez vous, vaccin, vaccination',
      'rappel, cabinet, carte vitale, ordonnance, annuler, à jeun, consultation',
    ],
    invoice: [
      'facture*, cotisation*, appel de cotisation, échéance, règlement avant, relance de paiement, impayé*, à régler, rappel de paiement',
      'chèque, virement, trésorière, trésorier, adhésion, payer avant, montant, rib',
    ],
    survey: [
      'enquête*, sondage*, questionnaire*, satisfaction',
      'questions, anonyme, répondre, réponses',
    ],
    're-permission': [
      'redemander l accord, redemander, renouveler leur accord, consentement*, rgpd, vieux contacts, anciens contacts, souhaitent toujours, veulent toujours recevoir, toujours recevoir, confirmer leur inscription',
      'accord, on les efface, cliquent pas, désinscri*, efface',
    ],
    season: [
      'saison, c est la saison, printemps, rentrée, meilleurs voeux, joyeux noël, bonne année, joyeuses fêtes, huîtres, vendanges, c est le moment, pneus hiver, asperges, bonnes fêtes',
      'hiver, été, automne, noël, pâques, retrait, bourriche',
    ],
    job: [
      'recrute, recrutons, recrutement, on recrute, nous recrutons, offre d emploi, cherchons un, cherche un, cdi, cdd, candidature*, alternance, apprenti*, embauche*, poste à pourvoir',
      'poste, cv, brut, salaire, temps partiel, temps plein, logement',
    ],
    donation: [
      'dons, don, appel aux dons, appel à dons, faire un don, collecte, cagnotte, mécénat, parrain*, soutenez',
      'asso, association, impôts, objectif, repas, soutien, fiscal*',
    ],
    press: [
      'communiqué, communiqué de presse, journalistes, dossier de presse',
      'presse, médias, embargo',
    ],
    'product-launch': [
      'nous sortons, on sort, lancement, lançons, on lance, nouvelle version, version mobile, nouveau produit, nouvelle application, nouvelle fonctionnalité, nouveauté, arrive le, vient de sortir, disponible dès',
      'appli, application, démo, android, iphone, version, inclus dans, fonction*',
    ],
    webinar: [
      'webinaire*, webinar*, conférence en ligne, visioconférence, en visio, atelier en ligne, en direct',
      'lien, intervenant, intervenante, gratuit, replay',
    ],
    'thank-you': [
      'merci aux, merci à tous, merci à toutes, remercier, remercions, remerciement*, un grand merci, dire merci aux',
      'merci, bénévoles, coureurs, donateurs, grâce à',
    ],
  },
  automation:
    'à chaque nouvel, à chaque nouveau, à chaque nouvelle, a chaque fois, chaque nouvel inscrit, chaque nouveau client, chaque nouvelle cliente, chaque fois que, quand quelqu un, quand un client, quand une cliente, quand une personne, lorsque quelqu un, lorsqu un client, lorsqu une cliente, dès que quelqu un, dès qu un client, dès qu une, si quelqu un, automatiquement, automatique, automatis*, jours apres, puis rien, envoi automatique, séquence, série de mails, jours avant l arrivée',
  questions:
    'pourquoi, combien, où est, où sont, où trouver, comment faire, comment je, comment on, est ce que, qui s est, quand est ce, qu est ce, c est quoi, peut on, puis je, il y a combien, quel est',
  statements:
    'nous, notre, nos, on ferme, on ouvre, on cherche, on vous, chers, chère, chères, cher, annoncer, prévenir, désormais, nouveau, nouvelle, ouvert, clients, adhérents, parents, offert, offerte, vous, votre, vos, informer',
  tellings:
    'dis, dites, dire, annonce, annoncez, annoncer, préviens, prévenez, prévenir, informe, informez, informer, fais savoir, faites savoir, faire savoir, fais part, rappelle, rappelez, rappeler, signale, signalez, signaler, avertis, avertissez, avertir, écris, écrivez',
  insiders: 'nous, moi, vos amis, tes amis',
  links: 'et, aussi',
  relativeVerbs: '',
  requests: 'fais, faire, faites, envoie, envoyer, envoyez, rappeler, message, demande',
  orders:
    'écris, écrire, écrivez, dis, dites, annoncez, préviens, informe, informez, fais savoir, faites savoir, faire savoir, rappelle, rappelez, rédige, rédiger, rédigez, prépare, préparer, annoncer, annonce, prévenir, inviter, informer, demander, relancer, invite, mail, email, courriel, message, newsletter, invit, à dire, dire, mettre, redemander, prévenez, écrivons, demande',
  leadIns:
    'on recrute, nous recrutons, on cherche, nous cherchons, nous sortons, nous lançons, on lance, rappel rdv, rappel, invitation, webinaire gratuit, webinaire, appel aux dons pour, merci aux, merci à, un, une',
  linkingVerbs: 'est, sont, sera, seront',
  sentenceStarts:
    'nous, on, vous, tu, il, elle, ils, elles, je, ce, c, s, si, que, qui, quand, est, sont, merci, bonjour, cher, chers, pas, ne, désolé, désolés, objectif, lien',
  withinOrders:
    'peux, peut, pouvez, pourrais, pourriez, tu, vous, je, on, nous, voudrais, veux, veut, faut, il, faudrait, besoin, de, d, du, des, un, une, le, la, les, l, à, a, au, aux, pour, nos, notre, mes, mon, que, qu, nouveau, petit, court, sympa, clients, clientes, adhérents, parents, abonnés, membres, gens, tous, toutes, tout, le monde, salut, bonjour, stp, svp, merci, s, te, plaît, plait, en, sur, ceux, et',
  relatives: 'qui, dont',
  conjunctions: 'que, qu',
  wishes:
    'ton simple, ton léger, on se tutoie, se tutoie, tutoyer, tutoiement, vouvoyer, vouvoiement, merci de rester, rester sobre, points d exclamation, pas de blabla, pas de promo, phrase claire, phrases courtes, un seul bouton, seul bouton, photo seulement, si utile, ton complice, une seule idée, ne pas donner, sans emoji, sans emojis, pas d emoji, pas trop, plutôt court, faire court, sois bref, restez bref, on dit septante, mets moi, mettre le logo, avec le logo, objet, en français simple, pas de jargon, on est l agence, agence ici, il faut redemander, dire merci, mon associé, mon associée, mon patron, pas commercial, pour notre client, nos clients sont, nos lecteurs sont, vieux contacts',
  doubts:
    'je sais plus, je ne sais plus, sais plus, non pardon, pardon, à confirmer, ou bien, je crois, à vérifier, je ne suis pas sûr, ou peut être, plus très sûr, à définir, reste à fixer, euh, ou alors, non attends',
  signatures: 'signé par, signé, signée, signer, signe, signature',
  speakers:
    'avec, intervenant, intervenante, animé par, animée par, présenté par, conférencier, conférencière',
  linkLabels:
    'lien, le lien, liens, ici, site, inscription, inscriptions, infos, plus d infos, détails, réserver, réservation, boutique, suivi, suivi sur, sur, commander, billets, formulaire, en ligne sur, don, avis, book',
  places:
    'rue, avenue, boulevard, place, salle, galerie, cabinet, école, lycée, église, mairie, bibliothèque, musée, théâtre, hôtel, restaurant, café, ferme, jardin, jardins, parc, port, atelier, clinique, gymnase, stade, cave, maison, centre, halle, halles, quai, chapelle, médiathèque, bar, auberge, domaine, château',
  beforePlaces: 'à la, à l, au, à, dans la, dans le, dans',
  fillers:
    'le, la, les, l, de, du, des, d, et, à, a, au, aux, en, sur, dans, pour, par, avec, est, on, nous, mail, code, lien, un, une, janvier, février, mars, avril, mai, juin, juillet, août, septembre, octobre, novembre, décembre, c, salut, bonjour, coucou, merci, stp, svp',
  introductions: 'ici',
  tones:
    'court, clair, simple, sobre, chaleureux, sympa, drôle, léger, formel, bref, poli, sérieux, personnel, ton, donc, et, mais, pas, trop, très, plutôt, un, peu, stp, svp, larmoyant, complice',
  commands: 'éviter, évite, évitez, utilise, utiliser, mentionne, rester, reste, écris',
  people:
    'clients, clientes, adhérents, parents, abonnés, membres, gens, tous, toutes, ceux, celles, bénévoles',
  determiners: 'le, la, les, l, nos, notre, un, une, des, tous',
  lead: '',
  heading: 'Actualité',
  button: 'En savoir plus',
  stop: 'STOP pour se désabonner',
}
