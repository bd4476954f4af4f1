import { isObject } from '../json.ts';

export interface SupplyChainNode {
  /** Domain of the advertising system, with its sellers.json. */
  readonly asi: string;
  /** Seller's ID in that system. */
  readonly sid: string;
  /** 1 = takes part in the flow of payment, as every node of version 1.0 does. */
  readonly hp?: number;
  /** ID of the request as that seller sent it. */
  readonly rid?: string;
  readonly name?: string;
  readonly domain?: string;
  readonly ext?: object;
}

/** In order, the owner first (OpenRTB 2.6 section 3.2.25). */
export interface SupplyChain {
  readonly ver: string;
  /** 1 = the nodes reach back to the owner of the medium. */
  readonly complete: 0 | 1;
  readonly nodes: readonly SupplyChainNode[];
  readonly ext?: object;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function readNode(raw: unknown): SupplyChainNode | undefined {
  if (!isObject(raw) || !isText(raw.asi) || !isText(raw.sid)) return undefined;
  return {
    asi: raw.asi,
    sid: raw.sid,
    hp: raw.hp === 0 ? 0 : 1,
    ...(isText(raw.rid) && { rid: raw.rid }),
    ...(isText(raw.name) && { name: raw.name }),
    ...(isText(raw.domain) && { domain: raw.domain }),
    ...(isObject(raw.ext) && { ext: raw.ext }),
  };
}

/** Undefined if invalid: without nodes, or with a node without `asi` or `sid`. */
export function readSupplyChain(raw: unknown): SupplyChain | undefined {
  if (!isObject(raw) || !Array.isArray(raw.nodes) || raw.nodes.length === 0) return undefined;
  const nodes = raw.nodes.map(readNode);
  if (nodes.includes(undefined)) return undefined;
  return {
    ver: isText(raw.ver) ? raw.ver : '1.0',
    complete: raw.complete === 1 ? 1 : 0,
    nodes: nodes.filter((node) => node !== undefined),
    ...(isObject(raw.ext) && { ext: raw.ext }),
  };
}

/** A new chain is incomplete, because earlier sellers are unknown. */
export function appendNode(chain: SupplyChain | undefined, node: SupplyChainNode): SupplyChain {
  if (chain === undefined) return { ver: '1.0', complete: 0, nodes: [node] };
  return { ...chain, nodes: [...chain.nodes, node] };
}
