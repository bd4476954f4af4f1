#!/usr/bin/env node
// Plain JavaScript for old Nodes too: it has to run there to say, or find, what Bourse needs.
import { launch } from './launch.js';

launch();
