/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/human/policy_network.h"

#include "engine/base/alloc.h"
#include "engine/base/mapped_file.h"
#include "engine/human/convolution.h"
#include "engine/human/policy_layers.h"
#include "engine/human/small_policy.h"
#include "engine/human/softmax.h"

#include <math.h>
#include <string.h>

struct PolicyNetwork {
    PolicyWeights weights; /* none with `small` */
    Convolution *convolve;
    bool is_small;
    SmallPolicy small; /* a view of `file`, or of what is built in */
    uint8_t *file;
};

struct PolicyRoom {
    float *boards[3]; /* of the filters, as convolution.h has them */
    float *outputs;   /* the policy's board */
    float *small;     /* for layers without squares */
};

/* Of bytes that outlive the network. */
static bool read_small(PolicyNetwork *network, const uint8_t *bytes, size_t size, Error *err)
{
    network->is_small = true;
    return small_policy_view(&network->small, bytes, size, err);
}

static bool copy_small(PolicyNetwork *network, const uint8_t *bytes, size_t size, Error *err)
{
    network->file = malloc(size);
    if (!network->file) {
        error_set(err, ERR_MEMORY, "no memory for the network");
        return false;
    }
    memcpy(network->file, bytes, size);
    return read_small(network, network->file, size, err);
}

static bool load_built_in(PolicyNetwork **out, Error *err)
{
    size_t size;
    const uint8_t *bytes = small_policy_embedded(&size);
    PolicyNetwork *network = alloc_zeroed(sizeof *network, "the network", err);
    if (!network || !read_small(network, bytes, size, err)) {
        policy_free(network);
        return false;
    }
    *out = network;
    return true;
}

bool policy_read(PolicyNetwork **out, const uint8_t *bytes, size_t size, Error *err)
{
    PolicyNetwork *network = alloc_zeroed(sizeof *network, "the network", err);
    if (!network)
        return false;
    network->convolve = convolution_best();
    if (small_policy_is(bytes, size) ? !copy_small(network, bytes, size, err)
                                     : !policy_file_read(&network->weights, bytes, size, err)) {
        policy_free(network);
        return false;
    }
    *out = network;
    return true;
}

bool policy_is_file(const char *path)
{
    return path[0] != '\0' && strcmp(path, POLICY_BUILT_IN) != 0;
}

bool policy_load(PolicyNetwork **out, const char *path, Error *err)
{
    MappedFile file = { 0 };
    if (strcmp(path, POLICY_BUILT_IN) == 0)
        return load_built_in(out, err);
    if (!mapped_file_init(&file, path, err))
        return false;
    bool ok = policy_read(out, file.bytes, file.size, err);
    mapped_file_release(&file);
    if (!ok)
        error_prefix(err, "%s", path);
    return ok;
}

void policy_free(PolicyNetwork *network)
{
    if (!network)
        return;
    policy_weights_release(&network->weights);
    free(network->file);
    free(network);
}

const PolicyWeights *policy_weights(const PolicyNetwork *network)
{
    return network->is_small ? NULL : &network->weights;
}

PolicyInfo policy_info(const PolicyNetwork *network)
{
    const PolicyWeights *weights = &network->weights;
    if (network->is_small)
        return (PolicyInfo){ .filters = network->small.width,
                             .takes_rating = true,
                             .instructions = "integers" };
    return (PolicyInfo){ .filters = weights->filters,
                         .blocks = weights->block_count,
                         .training_steps = weights->training_steps,
                         .accuracy = weights->accuracy,
                         .instructions = convolution_name(network->convolve) };
}

bool policy_force(PolicyNetwork *network, int n)
{
    Convolution *set = network->is_small ? NULL : convolution_nth(n);
    if (set)
        network->convolve = set;
    return set != NULL;
}

static int small_size(const PolicyWeights *weights)
{
    return POLICY_EXCITE_ROOM + weights->value.stride * SQUARE_COUNT +
           weights->value_hidden.stride + weights->win_draw_loss.stride;
}

bool policy_room_new(PolicyRoom **out, const PolicyNetwork *network, Error *err)
{
    const PolicyWeights *weights = &network->weights;
    PolicyRoom *room = alloc_zeroed(sizeof *room, "an evaluation", err);
    if (!room)
        return false;
    bool ok = true;
    for (int i = 0; i < 3 && !network->is_small; i++)
        ok = (room->boards[i] = policy_board_new(1, weights->input.stride)) && ok;
    if (!network->is_small) {
        ok = (room->outputs = policy_board_new(1, weights->policy.stride)) && ok;
        ok = (room->small = calloc((size_t)small_size(weights), sizeof *room->small)) && ok;
    }
    if (!ok) {
        error_set(err, ERR_MEMORY, "no memory for an evaluation");
        policy_room_free(room);
        return false;
    }
    *out = room;
    return true;
}

void policy_room_free(PolicyRoom *room)
{
    if (!room)
        return;
    for (int i = 0; i < 3; i++)
        free(room->boards[i]);
    free(room->outputs);
    free(room->small);
    free(room);
}

static void value_head(const PolicyWeights *weights, const float *x, int x_stride, float *small,
                       PolicyVerdict *verdict)
{
    const PolicyLayer *layer = &weights->value;
    float *planes = small, *flat = small + layer->stride;
    float *hidden = flat + layer->outputs * SQUARE_COUNT;
    float *chances = hidden + weights->value_hidden.stride;
    for (Square square = 0; square < SQUARE_COUNT; square++) {
        policy_connect(planes, layer, x + policy_square(square) * x_stride);
        for (int i = 0; i < layer->outputs; i++)
            flat[i * SQUARE_COUNT + square] = planes[i] > 0 ? planes[i] : 0;
    }
    policy_connect(hidden, &weights->value_hidden, flat);
    policy_rectify(hidden, weights->value_hidden.stride);
    policy_connect(chances, &weights->win_draw_loss, hidden);
    softmax(chances, 3);
    verdict->win = chances[0];
    verdict->draw = chances[1];
    verdict->loss = chances[2];
}

void policy_evaluate(const PolicyNetwork *network, PolicyRoom *room, const HumanHistory *history,
                     const Position *pos, const MoveList *moves, int elo, PolicyVerdict *verdict)
{
    if (network->is_small) {
        verdict->win = verdict->draw = verdict->loss = 0;
        small_policy_evaluate(&network->small, history, pos, moves, elo, verdict->probability);
        return;
    }
    const PolicyWeights *weights = &network->weights;
    int stride = weights->input.stride;
    float *x = room->boards[0], *hidden = room->boards[1], *y = room->boards[2];
    HumanPlane planes[HUMAN_PLANES];
    human_planes(planes, history, pos);
    policy_input_layer(x, &weights->input, planes);
    for (int i = 0; i < weights->block_count; i++) {
        const PolicyBlock *block = &weights->blocks[i];
        network->convolve(hidden, x, stride, &block->first, true);
        network->convolve(y, hidden, stride, &block->second, false);
        policy_excite(x, y, block, room->small);
    }
    network->convolve(hidden, x, stride, &weights->policy_hidden, true);
    network->convolve(room->outputs, hidden, stride, &weights->policy, false);
    policy_read_moves(verdict->probability, room->outputs, &weights->policy, pos, moves);
    value_head(weights, x, stride, room->small, verdict);
}

HumanOpinion policy_opinion(const PolicyVerdict *verdict, const MoveList *moves, int chosen)
{
    int likeliest = 0;
    double entropy = 0;
    for (int i = 0; i < moves->count; i++) {
        double share = (double)verdict->probability[i];
        entropy -= share > 0 ? share * log(share) : 0;
        likeliest = verdict->probability[i] > verdict->probability[likeliest] ? i : likeliest;
    }
    return (HumanOpinion){ .probability = verdict->probability[chosen],
                           .entropy = (float)entropy,
                           .likeliest_probability = verdict->probability[likeliest],
                           .likeliest = moves->moves[likeliest],
                           .searched = MOVE_NONE };
}
