/**
 * The script of the invitation page. Reads tenant and secret from the URL fragment, which browsers never send
 * to a server. The login is an authorization code flow with PKCE (RFC 7636). During the login, sessionStorage
 * keeps its state; the access token is never stored. All data is shown as text, never as HTML.
 */
export const INVITATION_SCRIPT = `'use strict';
const { issuer, clientId, roleNames } = document.currentScript.dataset;
const namesOfRoles = new Map(JSON.parse(roleNames));
const STORED = 'filing-invitation-login';
const redirectUri = location.origin + location.pathname;
let invitation = readInvitation();
let accessToken = null;

function readInvitation() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  return { tenant: parameters.get('tenant') ?? '', secret: parameters.get('secret') ?? '' };
}

/** The texts of the invitation; without them, the page only knows the tenant in the link. Null if it is not open. */
async function lookUp() {
  const body = new URLSearchParams(invitation);
  const response = await fetch('invitation/lookup', { method: 'POST', body });
  if (response.ok) return response.json();
  return response.status === 404 ? null : { tenant: invitation.tenant };
}

/** Shows what the invitation says, before the login. */
async function showInvitation() {
  const texts = await lookUp();
  show(texts ? 'log-in' : 'ended', texts ?? {});
}

/** Removes the secret from the URL: it has no more use. */
function forgetInvitation() {
  accessToken = null;
  history.replaceState(null, '', location.pathname);
}

/** Shows one section of the page and fills in the values. */
function show(name, { role, ...values } = {}) {
  for (const section of document.querySelectorAll('main > section')) section.hidden = section.id !== name;
  if (role !== undefined) values.role = namesOfRoles.get(role) ?? role;
  for (const [key, value] of Object.entries(values))
    for (const place of document.querySelectorAll('[data-value="' + key + '"]')) place.textContent = value;
}

function base64Url(bytes) {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

const random = () => base64Url(crypto.getRandomValues(new Uint8Array(32)));

async function discover() {
  const response = await fetch(issuer.replace(/\\/$/, '') + '/.well-known/openid-configuration');
  const metadata = await response.json();
  if (metadata.issuer !== issuer) throw new Error('The discovery document is that of another issuer');
  return metadata;
}

async function logIn(prompt) {
  const { authorization_endpoint: endpoint } = await discover();
  const [state, verifier] = [random(), random()];
  const challenge = base64Url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)));
  const url = new URL(endpoint);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...(prompt && { prompt }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  sessionStorage.setItem(STORED, JSON.stringify({ state, verifier, invitation }));
  location.assign(url);
}

/** Continues after the issuer has redirected the browser back. */
async function finishLogin(answer) {
  const stored = JSON.parse(sessionStorage.getItem(STORED));
  sessionStorage.removeItem(STORED);
  const isOurs = stored !== null && stored.state === answer.get('state');
  if (isOurs) invitation = stored.invitation;
  // Removes the code from the URL; a reload starts again with the invitation.
  history.replaceState(null, '', location.pathname + (isOurs ? '#' + new URLSearchParams(invitation) : ''));
  if (!isOurs) return show('incomplete');
  const code = answer.get('code');
  if (code === null)
    return show('login-failed', { reason: answer.get('error_description') ?? answer.get('error') ?? '' });
  const { token_endpoint: endpoint } = await discover();
  const response = await fetch(endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code,
      code_verifier: stored.verifier,
    }),
  });
  const tokens = await response.json();
  if (!response.ok) return show('login-failed', { reason: tokens.error_description ?? tokens.error ?? '' });
  accessToken = tokens.access_token;
  if (await showOwnTenant()) return;
  const texts = (await lookUp()) ?? { tenant: invitation.tenant };
  show('answer', { ...texts, who: nameIn(tokens.id_token) });
}

/** Returns the name of the user, only for display: the service verifies the access token. */
function nameIn(idToken) {
  const payload = (idToken ?? '').split('.')[1];
  if (!payload) return '';
  const bytes = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
  const claims = JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))));
  return claims.email ?? claims.name ?? claims.sub ?? '';
}

function call(path, init = {}) {
  const headers = { ...init.headers, Authorization: 'Bearer ' + accessToken, Accept: 'application/json' };
  return fetch('api/v1/' + path, { ...init, headers });
}

async function showProblem(response) {
  const { title, detail } = await response.json();
  document.getElementById('not-found').hidden = response.status !== 404;
  show('problem', { title, detail });
}

/**
 * Shows the tenant if the user is a member, or the problem if this cannot be checked. Returns whether it
 * showed one of these.
 */
async function showOwnTenant() {
  for (let query = 'limit=200'; query !== null; ) {
    const response = await call('tenants?' + query);
    if (!response.ok) {
      await showProblem(response);
      return true;
    }
    const { items, nextCursor } = await response.json();
    const found = items.find(({ slug }) => slug === invitation.tenant);
    if (found) {
      forgetInvitation();
      show('already-accepted', { tenant: found.name, role: found.role.name });
      return true;
    }
    query = nextCursor === null ? null : 'limit=200&cursor=' + nextCursor;
  }
  return false;
}

async function answer(action) {
  const path = 't/' + encodeURIComponent(invitation.tenant) + '/invitations/' + action;
  const response = await call(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ secret: invitation.secret }),
  });
  if (response.status === 204) {
    forgetInvitation();
    return show('declined');
  }
  // The user may have accepted it in another window.
  if (response.status === 404 && (await showOwnTenant())) return;
  if (!response.ok) return showProblem(response);
  const { tenant, role } = await response.json();
  forgetInvitation();
  show('accepted', { tenant: tenant.name, role: role.name });
}

/** Runs one action at a time; after a network error, the user can try again. */
async function run(work) {
  show('waiting');
  try {
    await work();
  } catch (error) {
    console.warn(error);
    show('unreachable');
  }
}

const ACTIONS = {
  'log-in': () => logIn(),
  'other-account': () => logIn('login'),
  accept: () => answer('accept'),
  decline: () => answer('decline'),
};
document.addEventListener('click', ({ target }) => {
  const action = ACTIONS[target.dataset.action];
  if (action) void run(action);
});

// The user opened another invitation link in the same window.
addEventListener('hashchange', () => location.reload());

const returned = new URLSearchParams(location.search);
if (returned.has('state')) void run(() => finishLogin(returned));
else if (invitation.tenant === '' || invitation.secret === '') show('incomplete');
else if (!crypto.subtle) show('insecure');
else void run(showInvitation);
`;
